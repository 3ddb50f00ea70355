package lottery.proof;

import java.util.Optional;
import lottery.api.activity.ActivityId;
import lottery.api.pool.PoolEvent;
import lottery.api.pool.PoolEvent.PoolDrawn;
import lottery.api.pool.PoolEvent.PoolFrozen;
import lottery.api.pool.PoolEvent.PoolOrdered;
import lottery.api.pool.PoolEvent.PoolPageDrawn;
import lottery.api.pool.PoolEvent.ReserveMovedUp;
import lottery.api.pool.PoolId;
import lottery.api.pool.PoolWin;
import lottery.pool.PoolEntryReader;
import org.axonframework.eventsourcing.eventstore.DomainEventStream;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Reads the stored pool of an activity: its entries, and its wins. */
@Component
class PoolEvidenceReader {

    private final EventStore events;
    private final PoolEntryReader entries;

    PoolEvidenceReader(EventStore events, PoolEntryReader entries) {
        this.events = events;
        this.entries = entries;
    }

    /**
     * A pool whose content was published.
     *
     * @param ordered the order of the entries; null before the draw of the pool
     * @param drawn whether all wins are given
     */
    record PublishedPool(PoolFrozen frozen, @Nullable PoolOrdered ordered, boolean drawn) {}

    /**
     * Receives the entries or the wins of a pool, one after the other.
     *
     * @param <E> the exception that the receiver may throw
     */
    @FunctionalInterface
    interface EvidenceReceiver<T, E extends Exception> {
        void take(T each) throws E;
    }

    /** An entry with its number. */
    record NumberedEntry(int entryNo, String orderId) {}

    Optional<PublishedPool> find(ActivityId activityId) {
        PoolFrozen frozen = null;
        PoolOrdered ordered = null;
        boolean drawn = false;
        DomainEventStream history = read(activityId);
        while (history.hasNext()) {
            switch ((PoolEvent) history.next().getPayload()) {
                case PoolFrozen published -> frozen = published;
                case PoolOrdered certain -> ordered = certain;
                case PoolDrawn _ -> drawn = true;
                case PoolEvent _ -> {
                    // The other events are read elsewhere.
                }
            }
        }
        return frozen == null ? Optional.empty() : Optional.of(new PublishedPool(frozen, ordered, drawn));
    }

    private DomainEventStream read(ActivityId activityId) {
        return events.readEvents(new PoolId(activityId).text());
    }

    <E extends Exception> void entries(PublishedPool pool, EvidenceReceiver<NumberedEntry, E> receiver) throws E {
        for (int above = 0; above < pool.frozen().entries(); above += PoolEntryReader.PAGE) {
            for (PoolEntryReader.PoolEntry entry : entries.above(pool.frozen().activityId(), above)) {
                receiver.take(new NumberedEntry(entry.entryNo(), entry.orderId()));
            }
        }
    }

    /**
     * Reads the wins of a pool. A pool without an order has none: wins that are given meanwhile cannot be checked
     * without the order.
     */
    <E extends Exception> void wins(PublishedPool pool, EvidenceReceiver<PoolWin, E> receiver) throws E {
        if (pool.ordered() == null) {
            return;
        }
        DomainEventStream history = read(pool.frozen().activityId());
        while (history.hasNext()) {
            switch ((PoolEvent) history.next().getPayload()) {
                case PoolPageDrawn page -> {
                    for (PoolWin win : page.wins()) {
                        receiver.take(win);
                    }
                }
                case ReserveMovedUp moved -> receiver.take(moved.win());
                case PoolEvent _ -> {
                    // The other events have no wins.
                }
            }
        }
    }
}
