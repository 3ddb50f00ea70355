package lottery;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import java.util.function.Supplier;
import lottery.api.AggregateId;
import lottery.api.Answer;
import lottery.api.Command;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.fairness.SeedUnavailableException;
import lottery.store.command.CommandFailedException;
import lottery.store.command.CommandSender;
import lottery.store.pace.AdmissionControl;
import lottery.store.vault.SecretUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends commands to their aggregates and returns the answers. Expected exceptions of Axon become refusals.
 *
 * <p>Frequent commands pass guards first. The guards are asked in this order, and the first refusal counts:
 *
 * <ol>
 *   <li>Ban: the user who spends something is not banned, whoever sends the command. Commands that only earn or give
 *       back skip this.
 *   <li>Rate: the player who sends the command does not send too many. A draw or a cancellation of an open order asks
 *       this first, because it has to read the order to know the user.
 *   <li>Turn: the processors can keep up with the events of the command. A draw that waits in the queue has its turn
 *       later.
 *   <li>Requirement: what only this kind of command needs, for example that the user belongs to the audience.
 * </ol>
 *
 * <p>A refusal by the requirement or by the aggregate does not count if the request was answered before: a repeated
 * request gets its first answer again. The first three guards refuse repeated requests, too.
 */
public final class EndpointCommandSender {

    private static final Logger LOG = LoggerFactory.getLogger(EndpointCommandSender.class);

    /** The longest wait for a turn. A caller that would have to wait longer is refused as busy. */
    private static final Duration TURN_WAIT_MAX = Duration.ofMillis(500);

    private final CommandSender sender;
    private final AdmissionControl admission;
    private final PlayerRateLimiter limiter;
    private final BannedUsers banned;

    EndpointCommandSender(
            CommandSender sender, AdmissionControl admission, PlayerRateLimiter limiter, BannedUsers banned) {
        this.sender = sender;
        this.admission = admission;
        this.limiter = limiter;
        this.banned = banned;
    }

    /**
     * Sends a command that spends something of a user, after all guards.
     *
     * @param requirement the last guard
     * @param earlier returns the answer to an earlier request that this one repeats, or else the given refusal
     * @throws RefusedException if one of the other guards refuses; nothing has happened then
     */
    public <R> Answer<IdempotentResult<R>> spend(
            UserId user,
            Command<R> command,
            Supplier<? extends Answer<?>> requirement,
            Function<Refused, Answer<R>> earlier) {
        requireNotBanned(user);
        requireRate(command.subject(), 1);
        return sendAfterRate(command, requirement, earlier);
    }

    /**
     * Sends a command after the last two guards. The caller has asked the guards before them: the rate, and the ban if
     * the command spends something.
     */
    public <R> Answer<IdempotentResult<R>> sendAfterRate(
            Command<R> command, Supplier<? extends Answer<?>> requirement, Function<Refused, Answer<R>> earlier) {
        awaitTurn(command.subject());
        return switch (requirement.get().then(_ -> send(command))) {
            case Answer.Done<R>(R result) -> Answer.done(new IdempotentResult<>(result, false));
            case Answer.No<R>(Refused refused) ->
                earlier.apply(refused).then(result -> Answer.done(new IdempotentResult<>(result, true)));
        };
    }

    /**
     * Sends a frequent command that spends nothing, when its turn comes.
     *
     * @throws RefusedException if the command gets no turn; nothing has happened then
     */
    public <R> Answer<R> sendInTurn(Command<R> command) {
        requireRate(command.subject(), 1);
        awaitTurn(command.subject());
        return send(command);
    }

    /**
     * Requires that a user who spends something is not banned, whoever sends the command. The check waits only if it
     * has to read the bans first. This happens after a change of a ban, or after some seconds without a check.
     *
     * @throws RefusedException if the user is banned; then nothing has happened
     */
    public void requireNotBanned(UserId user) {
        banned.requireNotBanned(user);
    }

    /** Makes the next check of a ban look for changes, unless this process has read the bans after this time. */
    public void forgetBansBefore(Instant time) {
        banned.forgetOlder(time);
    }

    /**
     * Waits for the turn of a draw or of another frequent command. Its turn comes when the processors can keep up with
     * its events.
     *
     * @throws RefusedException {@code BUSY} if the wait would be too long; nothing has happened then
     */
    private void awaitTurn(AggregateId target) {
        if (!admission.tryAdmit(TURN_WAIT_MAX)) {
            throw new RefusedException(Refusal.BUSY, target.text());
        }
    }

    /**
     * Counts a request against its player's rate.
     *
     * @param units how many chances the request may spend
     * @throws RefusedException if the player sends too many requests; nothing has happened then
     */
    public void requireRate(AggregateId target, int units) {
        if (!limiter.tryTake()) {
            throw new RefusedException(Refusal.RATE_LIMITED, target.text());
        }
        limiter.take(units - 1);
    }

    /**
     * Counts the further units of a command that has waited for one unit but has spent several, for example for several
     * draws. Later commands wait for these units.
     */
    public void charge(int units) {
        if (units > 0) {
            limiter.take(units);
            admission.charge(units);
        }
    }

    /** Sends a command and waits for its answer. A failure that does not concern the caller is thrown. */
    public <R> Answer<R> send(Command<R> command) {
        try {
            return sender.send(command);
        } catch (CommandFailedException failed) {
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
     * Returns the refusal of a command whose outcome is unknown. A repeatable command is refused as busy, because its
     * caller learns the outcome by repeating it. The caller of another command must not repeat it, because it might
     * take effect twice.
     */
    static Refusal unknown(Command<?> command) {
        return command.isRepeatable() ? Refusal.BUSY : Refusal.OUTCOME_UNKNOWN;
    }

    private static <R> Answer<R> refusalIn(CommandFailedException failed, Command<R> command) {
        return switch (failed.reason()) {
            case RefusedException refused -> Answer.no(refused.refused());
            case SeedUnavailableException lost -> {
                // One line without a stack trace is logged, because every draw logs it until this process has the key.
                LOG.warn(
                        "A draw failed because the activity's seed cannot be opened: {}."
                                + " The caller is answered NOT_READY. Check the settings LOTTERY_SEEDS_KEYS.",
                        lost.getMessage());
                yield refused(Refusal.NOT_READY, command);
            }
            case SecretUnavailableException lost -> {
                LOG.warn(
                        "A command failed because a secret cannot be opened or sealed: {}."
                                + " The caller is answered NOT_READY. Check the keys of this process.",
                        lost.getMessage());
                yield refused(Refusal.NOT_READY, command);
            }
            default -> throw failed.causeOrSelf();
        };
    }

    private static <R> Answer<R> refused(Refusal why, Command<R> command) {
        return Answer.no(new Refused(why, command.subject().text()));
    }
}
