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

/** Sends commands to their aggregates and returns the answers. Expected exceptions of Axon become refusals. */
public final class AdmittedCommandSender {

    private static final Logger LOG = LoggerFactory.getLogger(AdmittedCommandSender.class);

    /** A caller that would wait longer is refused as busy. */
    private static final Duration TURN_WAIT_MAX = Duration.ofMillis(500);

    private final CommandSender sender;
    private final AdmissionControl pace;

    AdmittedCommandSender(CommandSender sender, AdmissionControl pace) {
        this.sender = sender;
        this.pace = pace;
    }

    /**
     * Applies admission control: waits until the processors can follow another command of the mass of users.
     *
     * @param count how many units of work the command is worth
     * @throws RefusedException as busy, if the wait would take too long; then nothing has happened
     */
    public void awaitTurn(int count, AggregateId target) {
        if (!pace.begin(count, TURN_WAIT_MAX)) {
            throw new RefusedException(Refusal.BUSY, target.text());
        }
    }

    /** Sends a command and waits for its answer. Throws failures that do not concern the caller. */
    public <R> Answer<R> send(Command<R> command) {
        try {
            return sender.send(command);
        } catch (CommandFailed failed) {
            return switch (failed.kind()) {
                case NOT_FOUND -> refused(Refusal.NOT_FOUND, command);
                case EXISTS -> refused(Refusal.KEY_REUSED, command);
                // After an unknown outcome, a caller that repeats the request under the same key learns the outcome.
                case BUSY -> refused(Refusal.BUSY, command);
                case OTHER -> refusalIn(failed, command);
            };
        }
    }

    private static <R> Answer<R> refusalIn(CommandFailed failed, Command<R> command) {
        return switch (failed.reason()) {
            case RefusedException refused -> Answer.no(refused.refused());
            case SeedLost lost -> {
                // Logs one line only: each draw logs it until this process has the key.
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
