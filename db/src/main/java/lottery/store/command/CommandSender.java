package lottery.store.command;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import lottery.store.log.ClaimTaken;
import org.axonframework.commandhandling.gateway.CommandGateway;

/**
 * Sends commands, and waits for their answers for a limited time, all attempts together.
 *
 * <p>A command whose claim another node has taken is sent again: its aggregate knows better then, and may choose
 * another claim. Several nodes that take from one stock meet at some of its units, most of all at the last ones.
 */
public final class CommandSender {

    private static final Duration ANSWER_WAIT_MAX = Duration.ofSeconds(5);

    private static final int CLAIM_ATTEMPTS_MAX = 20;

    private final CommandGateway gateway;
    private final Duration answerWaitMax;

    public CommandSender(CommandGateway gateway) {
        this(gateway, ANSWER_WAIT_MAX);
    }

    CommandSender(CommandGateway gateway, Duration answerWaitMax) {
        this.gateway = gateway;
        this.answerWaitMax = answerWaitMax;
    }

    /**
     * Sends a command, or a message with one.
     *
     * @return the answer of its handler
     * @throws CommandFailed if there is none; after an interrupt the thread stays interrupted
     */
    @SuppressWarnings("TypeParameterUnusedInFormals") // As of Axon's gateway: its caller knows what a handler answers.
    public <R> R send(Object command) {
        long endNanos = System.nanoTime() + answerWaitMax.toNanos();
        for (int attempt = 1; ; attempt++) {
            try {
                return gateway.<R>send(command).get(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (ExecutionException e) {
                Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
                if (!(cause instanceof ClaimTaken) || attempt == CLAIM_ATTEMPTS_MAX) {
                    throw CommandFailed.because(command, cause);
                }
            } catch (TimeoutException e) {
                throw CommandFailed.unanswered(command, e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw CommandFailed.unanswered(command, e);
            }
        }
    }
}
