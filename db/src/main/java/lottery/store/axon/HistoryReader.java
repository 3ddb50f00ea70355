package lottery.store.axon;

import java.util.Collection;
import java.util.List;
import lottery.store.log.LogReader.CountAtHead;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.TrackedEventMessage;

/** Reads past events: large ranges of the log, and the events of some aggregates. */
public final class HistoryReader {

    private final LogMessageReader log;

    HistoryReader(LogMessageReader log) {
        this.log = log;
    }

    /** Returns the position of the newest event. */
    public long head() {
        return log.head();
    }

    /**
     * Returns the events after {@code position} up to {@code upTo}.
     *
     * @param upTo at most the head, because no event beyond the head is committed
     * @param unwanted the stored names of events to leave out
     */
    public List<TrackedEventMessage<?>> between(long position, long upTo, Collection<String> unwanted) {
        return log.between(position, upTo, unwanted);
    }

    /**
     * Returns events of an aggregate, the newest first.
     *
     * @param below only events with a lower sequence number are returned
     */
    public List<DomainEventMessage<?>> newestOf(String aggregateId, long below, int max) {
        return log.newestOfAggregate(aggregateId, below, max);
    }

    /** Returns all events of some aggregates. The events of one aggregate are adjacent and in order. */
    public List<DomainEventMessage<?>> eventsOf(Collection<String> aggregateIds) {
        return log.ofAggregates(aggregateIds);
    }

    /**
     * Returns the newest event of each aggregate of a kind. It reads an event of every aggregate of the kind, so it
     * suits kinds with few aggregates.
     *
     * @param prefix the common beginning of the ids of the kind
     */
    public List<TrackedEventMessage<?>> newestOfEach(String prefix) {
        return log.newestOfEach(prefix);
    }

    /**
     * Returns the newest event of each aggregate of a kind, out of the events after {@code position} up to
     * {@code upTo}. It reads all events of this range, so it suits short ranges.
     */
    List<TrackedEventMessage<?>> newestOfEach(String prefix, long position, long upTo) {
        return log.newestOfEach(prefix, position, upTo);
    }

    /**
     * Returns how many events the aggregates of a kind have. If the number has not changed, no aggregate of the kind
     * has changed.
     */
    CountAtHead countOfEach(String prefix) {
        return log.countOfEach(prefix);
    }
}
