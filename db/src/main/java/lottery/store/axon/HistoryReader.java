package lottery.store.axon;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import lottery.store.log.Log;
import lottery.store.log.LogReader.CountAtHead;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.TrackedEventMessage;

/** Reads past events: large ranges of the log, and the events of some aggregates. */
public final class HistoryReader {

    private final OpenLogs logs;

    HistoryReader(OpenLogs logs) {
        this.logs = logs;
    }

    /** Returns the position of the newest event of a log. */
    public long head(Log log) {
        return logs.of(log).messages().head();
    }

    /** Returns the position of the newest event of the current log. */
    public long head() {
        return logs.current().messages().head();
    }

    /**
     * Returns the events of the current log after {@code position} up to {@code upTo}.
     *
     * @param upTo at most the head, because no event beyond the head is committed
     * @param unwanted the stored names of events to leave out
     */
    public List<TrackedEventMessage<?>> between(long position, long upTo, Collection<String> unwanted) {
        return logs.current().messages().between(position, upTo, unwanted);
    }

    /**
     * Returns events of an aggregate, the newest first.
     *
     * @param below only events with a lower sequence number are returned
     */
    public List<DomainEventMessage<?>> newestOf(String aggregateId, long below, int max) {
        return logs.of(aggregateId).messages().newestOfAggregate(aggregateId, below, max);
    }

    /** Returns all events of some aggregates. The events of one aggregate are adjacent and in order. */
    public List<DomainEventMessage<?>> eventsOf(Collection<String> aggregateIds) {
        return aggregateIds.stream()
                .collect(Collectors.groupingBy(id -> logs.of(id).messages(), LinkedHashMap::new, Collectors.toList()))
                .entrySet()
                .stream()
                .<DomainEventMessage<?>>flatMap(part -> part.getKey().ofAggregates(part.getValue()).stream())
                .toList();
    }

    /**
     * Returns the newest event of each aggregate of a kind. It reads an event of every aggregate of the kind, so it
     * suits kinds with few aggregates.
     *
     * @param prefix the common beginning of the ids of the kind
     */
    public List<TrackedEventMessage<?>> newestOfEach(String prefix) {
        return logs.of(prefix).messages().newestOfEach(prefix);
    }

    /**
     * Returns the newest event of each aggregate of a kind, out of the events after {@code position} up to
     * {@code upTo}. It reads all events of this range, so it suits short ranges.
     */
    List<TrackedEventMessage<?>> newestOfEach(String prefix, long position, long upTo) {
        return logs.of(prefix).messages().newestOfEach(prefix, position, upTo);
    }

    /**
     * Returns how many events the aggregates of a kind have. If the number has not changed, no aggregate of the kind
     * has changed.
     */
    CountAtHead countOfEach(String prefix) {
        return logs.of(prefix).messages().countOfEach(prefix);
    }
}
