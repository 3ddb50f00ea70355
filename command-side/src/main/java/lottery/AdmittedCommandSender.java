package lottery;

import java.time.Duration;
import lottery.api.AggregateId;
import lottery.api.Answer;
import lottery.api.Command;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.fairness.SeedLost;
import lottery.store.command.CommandFailed;
import lottery.store.command.CommandSender;
import lottery.store.pace.AdmissionControl;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of a command to its aggregate, and of the answer back. What Axon says by exception becomes a refusal here.
 */
public final class AdmittedCommandSender {

    private static final Logger LOG = LoggerFactory.getLogger(AdmittedCommandSender.class);

    /** Whoever would wait longer for a turn had better come back. */
    private static final Duration TURN_WAIT_MAX = Duration.ofMillis(500);

    private final CommandSender sender;
    private final AdmissionControl pace;

    AdmittedCommandSender(CommandSender sender, AdmissionControl pace) {
        this.sender = sender;
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
        try {
            return sender.send(command);
        } catch (CommandFailed failed) {
            return switch (failed.kind()) {
                case NOT_FOUND -> refused(Refusal.NOT_FOUND, command);
                case EXISTS -> refused(Refusal.KEY_REUSED, command);
                // After an unknown outcome a caller who asks again under the same key learns what became of it.
                case BUSY -> refused(Refusal.BUSY, command);
                case OTHER -> refusalIn(failed, command);
            };
        }
    }

    private static <R> Answer<R> refusalIn(CommandFailed failed, Command<R> command) {
        return switch (failed.reason()) {
            case RefusedException refused -> Answer.no(refused.refused());
            case SeedLost lost -> {
                // One line: there is one for each draw, until somebody gives this process the key.
                LOG.warn("A draw is impossible here: {}", lost.getMessage());
                yield refused(Refusal.NOT_READY, command);
            }
            default -> throw failed.asThrown();
        };
    }

    private static <R> Answer<R> refused(Refusal why, Command<R> command) {
        return Answer.no(new Refused(why, command.target().text()));
    }
}
