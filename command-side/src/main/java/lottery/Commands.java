package lottery;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import lottery.api.AggregateId;
import lottery.api.Answer;
import lottery.api.Command;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.fairness.SeedLost;
import lottery.store.log.ClaimTaken;
import lottery.store.log.OutcomeUnknown;
import lottery.store.log.StoreBusy;
import lottery.store.pace.Pace;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.common.lock.LockAcquisitionFailedException;
import org.axonframework.modelling.command.AggregateNotFoundException;
import org.axonframework.modelling.command.AggregateStreamCreationException;
import org.axonframework.modelling.command.ConcurrencyException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of a command to its aggregate, and of the answer back. What Axon says by exception becomes a refusal here.
 */
public final class Commands {

    private static final Logger LOG = LoggerFactory.getLogger(Commands.class);

    private static final long ANSWER_WAIT_MAX_SECONDS = 5;

    /** Where several nodes take from one shelf they meet at some of its slots, most of all at the last ones. */
    private static final int CLAIM_ATTEMPTS_MAX = 20;

    /** Whoever would wait longer for a turn had better come back. */
    private static final Duration TURN_WAIT_MAX = Duration.ofMillis(500);

    private final CommandGateway gateway;
    private final Pace pace;

    Commands(CommandGateway gateway, Pace pace) {
        this.gateway = gateway;
        this.pace = pace;
    }

    /**
     * Before a command of those that users send by the million: waits until what follows from them can be followed.
     *
     * @param count how many it is worth
     * @throws RefusedException as busy, if that would take too long; then nothing has happened
     */
    public void awaitTurn(int count, AggregateId target) {
        if (!pace.begin(count, TURN_WAIT_MAX)) {
            throw new RefusedException(Refusal.BUSY, target.text());
        }
    }

    /** Sends a command and waits for its answer; failures that are no business of the caller's are thrown. */
    public <R> Answer<R> send(Command<R> command) {
        for (int attempt = 1; attempt < CLAIM_ATTEMPTS_MAX; attempt++) {
            try {
                return sendOnce(command);
            } catch (ClaimTaken e) {
                // Another node was faster. Whoever has chosen that claim knows better now.
            }
        }
        return refused(Refusal.BUSY, command);
    }

    private <R> Answer<R> sendOnce(Command<R> command) {
        CompletableFuture<Answer<R>> answer = gateway.send(command);
        try {
            return answer.get(ANSWER_WAIT_MAX_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            return refused(Refusal.BUSY, command);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return refused(Refusal.BUSY, command);
        } catch (ExecutionException e) {
            return refusalIn(Objects.requireNonNullElse(e.getCause(), e), command);
        }
    }

    private static <R> Answer<R> refusalIn(Throwable failure, Command<R> command) {
        return switch (failure) {
            case RefusedException refused -> Answer.no(refused.refused());
            case AggregateNotFoundException _ -> refused(Refusal.NOT_FOUND, command);
            case AggregateStreamCreationException _ -> refused(Refusal.KEY_REUSED, command);
            case ConcurrencyException _ -> refused(Refusal.BUSY, command);
            case LockAcquisitionFailedException _ -> refused(Refusal.BUSY, command);
            case StoreBusy _ -> refused(Refusal.BUSY, command);
            // Whoever asks again under the same key learns what became of it.
            case OutcomeUnknown _ -> refused(Refusal.BUSY, command);
            case SeedLost lost -> {
                // One line: there is one for each draw, until somebody gives this process the key.
                LOG.warn("A draw is impossible here: {}", lost.getMessage());
                yield refused(Refusal.NOT_READY, command);
            }
            case RuntimeException bug -> throw bug;
            default ->
                throw new IllegalStateException(
                        "a command failed for " + command.target().text(), failure);
        };
    }

    private static <R> Answer<R> refused(Refusal why, Command<R> command) {
        return Answer.no(new Refused(why, command.target().text()));
    }
}
