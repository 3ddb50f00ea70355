package lottery;

import lottery.api.raffle.RaffleCommand;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.common.lock.Lock;
import org.axonframework.common.lock.LockFactory;
import org.axonframework.messaging.InterceptorChain;
import org.axonframework.messaging.MessageHandlerInterceptor;
import org.axonframework.messaging.unitofwork.UnitOfWork;

/**
 * Locks the account of a raffle order before the order itself, until the command is committed or rolled back. A draw
 * locks its account first and then the order that it uses. A command to the order would lock in the opposite sequence,
 * and the two would deadlock.
 *
 * <p>The lock is the reentrant lock of the account's repository, so that the account is loaded later without a wait.
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
