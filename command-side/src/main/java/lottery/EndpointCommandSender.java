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
    private final AdmissionControl pace;
    private final PlayerRateLimiter limiter;
    private final CallerBlocklist blocked;
    private final BannedUsers banned;

    EndpointCommandSender(
            CommandSender sender,
            AdmissionControl pace,
            PlayerRateLimiter limiter,
            CallerBlocklist blocked,
            BannedUsers banned) {
        this.sender = sender;
        this.pace = pace;
        this.limiter = limiter;
        this.blocked = blocked;
        this.banned = banned;
    }

    /**
     * Refuses to spend anything of a banned user, whoever asks for it. It waits for nothing, unless no command has
     * asked for seconds.
     *
     * @throws RefusedException if the user is banned; then nothing has happened
     */
    public void requireNotBanned(UserId user) {
        banned.requireNotBanned(user);
    }

    /**
     * Waits, before a command of those that users send by the million, until processors can follow what it causes.
     *
     * @throws RefusedException as too many of one player, or as busy if the wait would be too long; then nothing has
     *     happened
     */
    public void awaitTurn(AggregateId target) {
        requireRate(target, 1);
        if (!pace.begin(TURN_WAIT_MAX)) {
            throw new RefusedException(Refusal.BUSY, target.text());
        }
    }

    /**
     * Counts a request that waits for its turn elsewhere.
     *
     * @param units how many chances it may spend
     * @throws RefusedException as too many of one player; then nothing has happened
     */
    public void requireRate(AggregateId target, int units) {
        if (!limiter.tryTake()) {
            // The limit is for players alone.
            Actor.current().ifPresent(player -> blocked.refused(player.name()));
            throw new RefusedException(Refusal.RATE_LIMITED, target.text());
        }
        limiter.take(units - 1);
    }

    /** Counts what a command has done beyond the one unit that it had its turn for. Later commands wait for that. */
    public void charge(int units) {
        if (units > 0) {
            limiter.take(units);
            pace.charge(units);
        }
    }

    /** Sends a command and waits for its answer. Throws failures that do not concern the caller. */
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
     * A caller that repeats the command learns the outcome. One that cannot repeat it must not be told to try again.
     */
    static Refusal unknown(Command<?> command) {
        return command.isRepeatable() ? Refusal.BUSY : Refusal.OUTCOME_UNKNOWN;
    }

    private static <R> Answer<R> refusalIn(CommandUnanswered failed, Command<R> command) {
        return switch (failed.reason()) {
            case RefusedException refused -> Answer.no(refused.refused());
            case SeedUnavailable lost -> {
                // Logs one line only: each draw logs it until this process has the key.
                LOG.warn("A draw is impossible here: {}", lost.getMessage());
                yield refused(Refusal.NOT_READY, command);
            }
            case SecretUnavailable lost -> {
                LOG.warn("A text about a person cannot be read or sealed here: {}", lost.getMessage());
                yield refused(Refusal.NOT_READY, command);
            }
            default -> throw failed.asThrown();
        };
    }

    private static <R> Answer<R> refused(Refusal why, Command<R> command) {
        return Answer.no(new Refused(why, command.target().text()));
    }
}
