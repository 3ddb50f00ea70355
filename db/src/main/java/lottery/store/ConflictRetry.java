package lottery.store;

import java.util.List;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.gateway.RetryScheduler;
import org.axonframework.modelling.command.ConcurrencyException;

/**
 * Sends a command again if another process has changed an aggregate meanwhile, or has created one that the command did
 * not find. So the second of two processes that create the same account, or the same ban, finds it and gets the answer
 * that it would have got later. The command is sent at once and on the caller's thread. Other failures are not retried,
 * because the command would fail again.
 */
final class ConflictRetry implements RetryScheduler {

    private static final int ATTEMPTS_MAX = 4;

    @Override
    @SuppressWarnings("rawtypes") // Axon's signature.
    public boolean scheduleRetry(
            CommandMessage command,
            RuntimeException lastFailure,
            List<Class<? extends Throwable>[]> failures,
            Runnable dispatch) {
        if (!(lastFailure instanceof ConcurrencyException) || failures.size() >= ATTEMPTS_MAX) {
            return false;
        }
        dispatch.run();
        return true;
    }
}
