package lottery.view.redis;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;

/** The changes of a batch of events to the values in Redis. All values are read together, and written together. */
final class RedisReadModelBatch {

    private static final Logger LOG = LoggerFactory.getLogger(RedisReadModelBatch.class);

    private final RedisReadModelFactory redis;
    private final Map<String, AggregateChanges<?>> courses = new LinkedHashMap<>();

    RedisReadModelBatch(RedisReadModelFactory redis) {
        this.redis = redis;
    }

    private record EventChange<V>(long sequence, UnaryOperator<V> change) {}

    /** The events of one aggregate, in their order. */
    private record AggregateChanges<V>(Class<V> type, List<EventChange<V>> steps) {

        RedisEntries.Events events(String key) {
            return new RedisEntries.Events(
                    key, steps.getFirst().sequence(), steps.getLast().sequence());
        }

        RedisEntries.EntryChange move(String key, Versioned<String> from, RedisReadModelFactory redis) {
            return new RedisEntries.EntryChange(
                    key, from.version(), steps.getLast().sequence(), moved(from, redis));
        }

        /**
         * Returns the value after all these events; null if the old value cannot be read, or if an event is missing.
         */
        private @Nullable String moved(Versioned<String> from, RedisReadModelFactory redis) {
            @Nullable V value = redis.read(from.value(), type).orElse(null);
            long version = from.version();
            for (EventChange<V> step : steps) {
                if (step.sequence() > version) {
                    if (value == null || step.sequence() != version + 1) {
                        return null;
                    }
                    value = step.change().apply(value);
                    version = step.sequence();
                }
            }
            return value == null ? null : redis.write(value);
        }
    }

    @SuppressWarnings("unchecked") // An aggregate has values of one type.
    <V> void add(String key, long sequence, Class<V> type, UnaryOperator<V> change) {
        ((AggregateChanges<V>) courses.computeIfAbsent(key, _ -> new AggregateChanges<>(type, new ArrayList<>())))
                .steps()
                .add(new EventChange<>(sequence, change));
    }

    /**
     * Writes the changes. A Redis that is full, or is a replica, counts as away, and the batch is tried again later.
     */
    void write() {
        try {
            writeAll();
        } catch (DataAccessException away) {
            throw new DataAccessResourceFailureException("Redis did not store new values of read models", away);
        }
    }

    private void writeAll() {
        List<RedisEntries.Events> events = new ArrayList<>();
        courses.forEach((key, course) -> events.add(course.events(key)));
        List<@Nullable Versioned<String>> waiting = redis.entries().waiting(events);
        List<RedisEntries.EntryChange> moves = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            Versioned<String> entry = waiting.get(i);
            String key = events.get(i).key();
            AggregateChanges<?> course = courses.get(key);
            if (entry != null && course != null) {
                moves.add(course.move(key, entry, redis));
            }
        }
        if (!moves.isEmpty()) {
            redis.anchor().remember();
            long moved = redis.entries().moveOn(moves);
            LOG.trace("{} of {} values in Redis were replaced by newer ones.", moved, moves.size());
        }
    }
}
