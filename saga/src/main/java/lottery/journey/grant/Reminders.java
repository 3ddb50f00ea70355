package lottery.journey.grant;

import java.time.InstantSource;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.award.Address;
import lottery.api.award.AwardEvent;
import lottery.api.award.AwardEvent.AwardClaimed;
import lottery.api.award.AwardEvent.AwardCompensated;
import lottery.api.award.AwardEvent.AwardDispatchFailed;
import lottery.api.award.AwardEvent.AwardDispatched;
import lottery.api.award.AwardEvent.AwardForfeited;
import lottery.api.award.AwardEvent.AwardGrantRejected;
import lottery.api.award.AwardEvent.AwardGranted;
import lottery.api.award.AwardEvent.AwardLeftToDesk;
import lottery.api.award.AwardEvent.AwardReleased;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.strategy.AwardType;
import lottery.journey.letter.Post;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Invoices that a person asks for, where fulfilment was asked in vain. They are made of what has happened to the award,
 * as those of its journey are, which neither sends nor counts them: whoever answers answers the record.
 */
@Component
public final class Reminders {

    private static final Logger LOG = LoggerFactory.getLogger(Reminders.class);

    /** A little more than what the client of the broker allows itself. */
    private static final long ARRIVAL_MAX_SECONDS = 9;

    private final EventStore events;
    private final Post post;
    private final InstantSource clock;

    Reminders(EventStore events, Post post, InstantSource clock) {
        this.events = events;
        this.post = post;
        this.clock = clock;
    }

    /** What is known of an award. */
    private record Asked(
            AwardWon won, AwardState state, @Nullable Address address) {

        static @Nullable Asked after(@Nullable Asked before, AwardEvent event) {
            if (event instanceof AwardWon won) {
                return new Asked(won, AwardState.WON, null);
            }
            return before == null ? null : before.evolve(event);
        }

        private Asked evolve(AwardEvent event) {
            return switch (event) {
                case AwardWon _, AwardReleased _ -> this;
                case AwardClaimed claimed -> new Asked(won, state, claimed.address());
                case AwardDispatched _ -> in(AwardState.DISPATCHED);
                case AwardDispatchFailed _ -> in(AwardState.DISPATCH_FAILED);
                case AwardGrantRejected _ -> in(AwardState.REJECTED);
                case AwardLeftToDesk _ -> in(AwardState.ON_DESK);
                case AwardGranted _ -> in(AwardState.GRANTED);
                case AwardCompensated _ -> in(AwardState.COMPENSATED);
                case AwardForfeited _ -> in(AwardState.FORFEITED);
            };
        }

        private Asked in(AwardState next) {
            return new Asked(won, next, address);
        }

        /** It was asked for, an answer would count, and it is known where to. */
        boolean canBeAskedAgain() {
            boolean isAwaited = switch (state) {
                case DISPATCHED, DISPATCH_FAILED, ON_DESK -> true;
                case WON, GRANTED, REJECTED, COMPENSATED, FORFEITED -> false;
            };
            return isAwaited && (won.award().type() != AwardType.PHYSICAL || address != null);
        }

        /** Behind all of the journey: none of them is taken for a copy of one of those. */
        Invoice invoice(int number) {
            Invoice invoice = Invoice.of(won, Handover.INVOICES_MAX + number);
            return address == null ? invoice : invoice.to(address);
        }
    }

    /**
     * Waits until it has arrived. It changes nothing about the award.
     *
     * @param number counts such invoices of an award from 1; the same number is the same letter
     */
    public Answer<AwardState> send(AwardRecordId id, int number) {
        Asked asked = null;
        for (Object event : events.readEvents(id.text())
                .asStream()
                .<Object>map(message -> message.getPayload())
                .toList()) {
            asked = event instanceof AwardEvent news ? Asked.after(asked, news) : asked;
        }
        if (asked == null) {
            return Answer.no(new Refused(Refusal.NOT_FOUND, id.text()));
        }
        return asked.canBeAskedAgain()
                ? sent(asked, number)
                : Answer.no(new Refused(Refusal.AWARD_STATE, id.text() + " (" + asked.state() + ")"));
    }

    private Answer<AwardState> sent(Asked asked, int number) {
        AwardRecordId id = asked.won().awardRecordId();
        try {
            post.send(asked.invoice(number).letter(clock.instant()).traced())
                    .get(ARRIVAL_MAX_SECONDS, TimeUnit.SECONDS);
            return Answer.done(asked.state());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException | org.springframework.kafka.KafkaException e) {
            LOG.warn("An invoice for {} could not be sent again: {}", id.text(), e.toString());
        }
        return Answer.no(new Refused(Refusal.BUSY, id.text()));
    }
}
