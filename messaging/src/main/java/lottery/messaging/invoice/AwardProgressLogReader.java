package lottery.messaging.invoice;

import java.math.BigDecimal;
import java.time.InstantSource;
import java.util.Optional;
import lottery.api.award.AwardEvent;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardProgress;
import lottery.api.award.AwardRecordId;
import lottery.messaging.UnreadableMessageException;
import lottery.store.axon.EventStreams;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Reads the progress of a won award from the event log. */
@Component
public final class AwardProgressLogReader {

    private final EventStore events;
    private final InstantSource clock;

    AwardProgressLogReader(EventStore events, InstantSource clock) {
        this.events = events;
        this.clock = clock;
    }

    /** Returns the progress; empty if there is no such award. */
    public Optional<AwardProgress> find(AwardRecordId id) {
        return EventStreams.<AwardProgress, Object>fold(
                events,
                id.text(),
                (progress, event) ->
                        event instanceof AwardEvent known ? AwardProgress.after(progress, known) : progress);
    }

    /**
     * Returns whether an answer to an invoice would still count. An invoice may arrive long after it was answered. Its
     * award must not be handed over then, because the new answer would not count any more, and the award would be lost.
     *
     * @throws UnreadableMessageException if the award does not exist or differs from the invoice; this can happen,
     *     because other systems may write invoices
     */
    public boolean isAwaited(Invoice invoice) {
        AwardRecordId id = invoice.awardRecordId();
        AwardProgress progress = find(id).orElseThrow(() -> new UnreadableMessageException("there is no " + id.text()));
        if (!isFor(progress.won(), invoice)) {
            throw new UnreadableMessageException(id.text() + " was not won as its invoice says");
        }
        return progress.state().isAwaited() && !progress.isHeldBack(clock.instant());
    }

    private static boolean isFor(AwardWon won, Invoice invoice) {
        Invoice own = Invoice.of(won, invoice.attempt());
        return own.userId().equals(invoice.userId())
                && own.activityId().equals(invoice.activityId())
                && own.award().awardId() == invoice.award().awardId()
                && own.type() == invoice.type()
                && isSame(own.amount(), invoice.amount())
                && own.content().equals(invoice.content());
    }

    private static boolean isSame(@Nullable BigDecimal one, @Nullable BigDecimal other) {
        if (one == null) {
            return other == null;
        }
        return other != null && one.compareTo(other) == 0;
    }
}
