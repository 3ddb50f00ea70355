package lottery.store.axon;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import lottery.store.log.LogReader.CountAtHead;
import org.axonframework.eventhandling.TrackedEventMessage;

/**
 * Reads a value that follows from all aggregates of a kind, for a {@code FollowedCache} whose key is the prefix of the
 * kind. It reads only what was stored after its previous read, so one more event costs little even if there are many
 * aggregates. It is thread-safe.
 */
public final class KindReader<V> implements Function<String, Optional<V>> {

    private final HistoryReader history;
    private final BiFunction<V, List<TrackedEventMessage<?>>, V> fold;
    private final ValueAtHead<V> nothing;
    private volatile ValueAtHead<V> latest;

    /**
     * @param events how many events of the kind the log had at that head
     * @param head the head of the log up to which this value was read
     */
    private record ValueAtHead<V>(V value, long events, long head) {}

    /**
     * @param empty the value of a log without such aggregates
     * @param fold computes a value from an earlier one, and the newest event of each aggregate that has changed since
     */
    public KindReader(HistoryReader history, V empty, BiFunction<V, List<TrackedEventMessage<?>>, V> fold) {
        this.history = history;
        this.fold = fold;
        this.nothing = new ValueAtHead<>(empty, 0, 0);
        this.latest = nothing;
    }

    @Override
    public Optional<V> apply(String prefix) {
        CountAtHead now = history.countOfEach(prefix);
        long events = now.events();
        long head = now.head();
        ValueAtHead<V> known = latest;
        if (events < known.events() || head < known.head()) {
            known = nothing; // PostgreSQL has lost events.
        }
        V value = known.value();
        if (events != known.events()) {
            value = fold.apply(
                    value,
                    known.head() == 0
                            ? history.newestOfEach(prefix)
                            : history.newestOfEach(prefix, known.head(), head));
        }
        latest = new ValueAtHead<>(value, events, head);
        return Optional.of(value);
    }
}
