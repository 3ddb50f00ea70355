package lottery.queue;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.Set;
import lottery.EndpointCommandSender;
import lottery.activity.ActivityCache;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.account.AccountCommand.DrawQueued;
import lottery.api.account.AccountCommand.RefuseQueued;
import lottery.api.raffle.DrawRequestResult;
import lottery.api.raffle.RaffleEvent.RaffleOrderRefused;
import lottery.fairness.SeedUnavailableException;
import lottery.raffle.DrawMeters;
import lottery.raffle.RaffleOrderFacade;
import lottery.store.clock.ClockAgreement;
import lottery.store.command.CommandFailedException;
import lottery.store.command.CommandSender;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.springframework.stereotype.Component;

/**
 * Makes the draws of requests that have waited in the queue. The draw is a nested command. If it is refused, nothing of
 * the draw is stored. The refusal is stored with the surrounding unit of work, which may contain other requests.
 *
 * <p>A refusal is final. An outage is no refusal: the command fails, and is sent again.
 */
@Component
class QueuedDrawHandler {

    /**
     * The refusals that follow from the state of the activity, or from a ban. The state that this process knows may be
     * old.
     */
    private static final Set<Refusal> OF_OLD_STATE = Set.of(
            Refusal.NOT_FOUND,
            Refusal.ACTIVITY_NOT_OPEN,
            Refusal.ACTIVITY_PAUSED,
            Refusal.ACTIVITY_DATES,
            Refusal.USER_BANNED);

    private final ActivityCache activities;
    private final EndpointCommandSender bans;
    private final CommandSender commands;
    private final RaffleOrderFacade orders;
    private final DrawMeters drawMeters;
    private final Counter used;
    private final Counter refused;
    private final InstantSource clock;
    private final ClockAgreement agreement;

    QueuedDrawHandler(
            ActivityCache activities,
            EndpointCommandSender bans,
            CommandSender commands,
            RaffleOrderFacade orders,
            DrawMeters drawMeters,
            MeterRegistry meters,
            InstantSource clock,
            ClockAgreement agreement) {
        this.activities = activities;
        this.bans = bans;
        this.commands = commands;
        this.orders = orders;
        this.drawMeters = drawMeters;
        this.used = meters.counter("lottery.queue.ended", "as", "used");
        this.refused = meters.counter("lottery.queue.ended", "as", "refused");
        this.clock = clock;
        this.agreement = agreement;
    }

    /**
     * Thrown if this process has no key for a seed. The command fails, and is sent again until an operator has given
     * the key to the process.
     */
    static final class SeedKeyMissingException extends RuntimeException {

        SeedKeyMissingException(SeedUnavailableException cause) {
            super(cause.getMessage(), cause);
        }
    }

    @CommandHandler
    Answer<DrawRequestResult> handle(DrawQueued queued) {
        agreement.require(); // A refusal because of a wrong time would be final.
        Answer<DrawRequestResult> answer = draw(queued);
        if (answer instanceof Answer.No<DrawRequestResult>(Refused why) && OF_OLD_STATE.contains(why.why())) {
            // The process that accepted the request may have known a newer state of the activity, or of the bans. An
            // old state must not refuse it, because a refusal is final.
            activities.forgetOlder(queued.accountId().activityId(), queued.queuedAt());
            bans.forgetBansBefore(queued.queuedAt());
            answer = draw(queued);
        }
        switch (answer) {
            case Answer.Done<DrawRequestResult>(DrawRequestResult draws) ->
                afterCommit(() -> {
                    drawMeters.add(queued.accountId(), draws);
                    used.increment();
                });
            // The id belongs to another request, which was not queued and already has its answer.
            case Answer.No<DrawRequestResult>(Refused why) when why.why() == Refusal.KEY_REUSED -> {}
            case Answer.No<DrawRequestResult>(Refused why) -> {
                orders.refuse(refusal(queued, why));
                afterCommit(refused::increment);
            }
        }
        return answer;
    }

    /** Returns whether the request was refused by this command. */
    @CommandHandler
    Answer<Boolean> handle(RefuseQueued dropped) {
        DrawQueued queued = dropped.request();
        if (orders.isKnown(queued.orderId())) {
            return Answer.done(false);
        }
        orders.refuse(refusal(
                queued, new Refused(Refusal.REQUEST_DROPPED, queued.orderId().text())));
        afterCommit(refused::increment);
        return Answer.done(true);
    }

    private static void afterCommit(Runnable action) {
        CurrentUnitOfWork.get().afterCommit(_ -> action.run());
    }

    private Answer<DrawRequestResult> draw(DrawQueued queued) {
        try {
            bans.requireNotBanned(queued.accountId().userId());
            return commands.send(queued.draw());
        } catch (RefusedException refused) {
            return Answer.no(refused.refused());
        } catch (CommandFailedException failed) {
            return switch (failed.reason()) {
                case RefusedException refused -> Answer.no(refused.refused());
                case SeedUnavailableException lost -> throw new SeedKeyMissingException(lost);
                default -> throw failed.causeOrSelf();
            };
        }
    }

    private RaffleOrderRefused refusal(DrawQueued queued, Refused refused) {
        return new RaffleOrderRefused(
                queued.orderId(),
                queued.accountId().activityId(),
                queued.accountId().userId(),
                queued.count(),
                refused.why().name(),
                refused.subject(),
                queued.queuedAt(),
                clock.instant());
    }
}
