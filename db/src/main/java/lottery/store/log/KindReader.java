package lottery.store.log;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.jspecify.annotations.Nullable;

/**
 * Reads a value that follows from all aggregates of a kind, for a {@code FollowedCache} whose key is the prefix of the
 * kind. While the kind has the same number of events, it returns the value that it has read last. It is thread-safe.
 */
public final class KindReader<V> implements Function<String, Optional<V>> {

    private final HistoryReader history;
    private final Function<List<TrackedEventMessage<?>>, V> fold;
    private volatile @Nullable CountedValue<V> latest;

    private record CountedValue<V>(V value, long events) {}

    /** @param fold computes the value from the newest event of each aggregate */
    public KindReader(HistoryReader history, Function<List<TrackedEventMessage<?>>, V> fold) {
        this.history = history;
        this.fold = fold;
    }

    @Override
    public Optional<V> apply(String prefix) {
        CountedValue<V> known = latest;
        if (known == null || history.countOfEach(prefix) != known.events()) {
            List<TrackedEventMessage<?>> newest = history.newestOfEach(prefix);
            long events = newest.stream()
                    .mapToLong(message -> ((DomainEventMessage<?>) message).getSequenceNumber() + 1)
                    .sum();
            known = new CountedValue<>(fold.apply(newest), events);
            latest = known;
        }
        return Optional.of(known.value());
    }
}
