package lottery;

import java.time.Duration;
import lottery.api.AggregateId;
import lottery.api.Answer;
import lottery.api.Command;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.fairness.SeedUnavailable;
import lottery.store.command.CommandSender;
import lottery.store.command.CommandUnanswered;
import lottery.store.pace.AdmissionControl;
import lottery.store.pace.CallerBlocklist;
import lottery.store.trace.Actor;
import lottery.store.vault.SecretUnavailable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends commands to their aggregates and returns the answers. Expected exceptions of Axon become refusals. */
public final class EndpointCommandSender {

    private static final Logger LOG = LoggerFactory.getLogger(EndpointCommandSender.class);

    /** A caller that would wait longer is refused as busy. */
    private static final Duration TURN_WAIT_MAX = Duration.ofMillis(500);

    private final CommandSender sender;
    private final AdmissionControl admission;
    private final PlayerRateLimiter limiter;
    private final CallerBlocklist blocked;
    private final BannedUsers banned;

    EndpointCommandSender(
            CommandSender sender,
            AdmissionControl admission,
            PlayerRateLimiter limiter,
            CallerBlocklist blocked,
            BannedUsers banned) {
        this.sender = sender;
        this.admission = admission;
        this.limiter = limiter;
        this.blocked = blocked;
        this.banned = banned;
    }

    /**
     * Refuses commands that spend anything of a banned user, whoever sends them. It waits only if no command has needed
     * the bans for some seconds, because they are read again then.
     *
     * @throws RefusedException if the user is banned; then nothing has happened
     */
    public void requireNotBanned(UserId user) {
        banned.requireNotBanned(user);
    }

    /**
     * Waits before a command of a kind that users send by the million, until the processors can keep up with its
     * events.
     *
     * @throws RefusedException if the player sends too many, or as busy if the wait would be too long; nothing has
     *     happened then
     */
    public void awaitTurn(AggregateId target) {
        requireRate(target, 1);
        if (!admission.tryAdmit(TURN_WAIT_MAX)) {
            throw new RefusedException(Refusal.BUSY, target.text());
        }
    }

    /**
     * Counts a request against its player's rate. The request waits for its turn elsewhere.
     *
     * @param units how many chances it may spend
     * @throws RefusedException if the player sends too many; nothing has happened then
     */
    public void requireRate(AggregateId target, int units) {
        if (!limiter.tryTake()) {
            // Only players are blocked after too many refusals.
            Actor.current().ifPresent(player -> blocked.refused(player.name()));
            throw new RefusedException(Refusal.RATE_LIMITED, target.text());
        }
        limiter.take(units - 1);
    }

    /**
     * Counts the units that a command has spent beyond the one that it waited for. Later commands wait for these units.
     */
    public void charge(int units) {
        if (units > 0) {
            limiter.take(units);
            admission.charge(units);
        }
    }

    /** Sends a command and waits for its answer. A failure that is not for the caller to know is thrown. */
    public <R> Answer<R> send(Command<R> command) {
        try {
            return sender.send(command);
        } catch (CommandUnanswered failed) {
            return switch (failed.kind()) {
                case NOT_FOUND -> refused(Refusal.NOT_FOUND, command);
                case EXISTS -> refused(Refusal.KEY_REUSED, command);
                case BUSY -> refused(Refusal.BUSY, command);
                case UNKNOWN -> refused(unknown(command), command);
                case OTHER -> refusalIn(failed, command);
            };
        }
    }

    /**
     * A caller that can repeat the command learns the outcome by repeating it. A caller that cannot must not be told to
     * try again.
     */
    static Refusal unknown(Command<?> command) {
        return command.isRepeatable() ? Refusal.BUSY : Refusal.OUTCOME_UNKNOWN;
    }

    private static <R> Answer<R> refusalIn(CommandUnanswered failed, Command<R> command) {
        return switch (failed.reason()) {
            case RefusedException refused -> Answer.no(refused.refused());
            case SeedUnavailable lost -> {
                // The log gets one line without a stack trace, because each draw logs it until this process has the
                // key.
                LOG.warn("A draw is impossible here: {}", lost.getMessage());
                yield refused(Refusal.NOT_READY, command);
            }
            case SecretUnavailable lost -> {
                LOG.warn("A text about a person cannot be read or sealed here: {}", lost.getMessage());
                yield refused(Refusal.NOT_READY, command);
            }
            default -> throw failed.causeOrSelf();
        };
    }

    private static <R> Answer<R> refused(Refusal why, Command<R> command) {
        return Answer.no(new Refused(why, command.target().text()));
    }
}
