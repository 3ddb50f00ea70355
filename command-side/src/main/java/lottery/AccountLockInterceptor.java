package lottery;

import lottery.api.raffle.RaffleCommand;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.common.lock.Lock;
import org.axonframework.common.lock.LockFactory;
import org.axonframework.messaging.InterceptorChain;
import org.axonframework.messaging.MessageHandlerInterceptor;
import org.axonframework.messaging.unitofwork.UnitOfWork;

/**
 * Locks the account of a raffle order before the order itself, until the command is committed or rolled back. The
 * command {@code Draw} locks its account first and then the account's open order. Without this class, a command to that
 * order would lock the order first, and the two commands could deadlock.
 *
 * <p>The lock is the reentrant lock of the account's repository. So the same command gets the lock again without a wait
 * when it loads the account.
 */
final class AccountLockInterceptor implements MessageHandlerInterceptor<CommandMessage<?>> {

    private final LockFactory locks;

    AccountLockInterceptor(LockFactory locks) {
        this.locks = locks;
    }

    @Override
    public Object handle(UnitOfWork<? extends CommandMessage<?>> unit, InterceptorChain chain) throws Exception {
        if (unit.getMessage().getPayload() instanceof RaffleCommand<?> command) {
            Lock account = locks.obtainLock(command.accountId().text());
            unit.onCleanup(_ -> account.release());
        }
        return chain.proceed();
    }
}
