package lottery.store.log;

import java.io.Closeable;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessException;

/**
 * All logs of the application. The home log has what every process follows. Things of users are in the logs of their
 * shards.
 */
public final class Logs implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(Logs.class);

    private final List<Log> all;
    private final ShardRule rule;
    private final ShardMap map;

    private Logs(List<Log> all, ShardRule rule, ShardMap map) {
        this.all = List.copyOf(all);
        this.rule = rule;
        this.map = map;
    }

    /**
     * Returns the logs of an application.
     *
     * @param database its data source, which may give connections to several logs
     * @param rule says which aggregates are not in the home log
     */
    public static Logs of(DataSource database, ShardRule rule) {
        List<? extends DataSource> pools = poolsOf(database);
        return new Logs(
                IntStream.range(0, pools.size())
                        .mapToObj(number -> new Log(number, pools.get(number), database))
                        .toList(),
                rule,
                ShardMap.even(1));
    }

    /** Returns these logs with another map. */
    Logs with(ShardMap other) {
        return new Logs(all, rule, other);
    }

    /** Closes the pools of all logs but the home log, whose pool belongs to the application. */
    @Override
    public void close() {
        all.stream().skip(1).forEach(log -> log.guarded().ifPresent(LogPool::close));
    }

    private static List<? extends DataSource> poolsOf(DataSource database) {
        try {
            return database.isWrapperFor(LogDataSource.class)
                    ? database.unwrap(LogDataSource.class).pools()
                    : List.of(database);
        } catch (SQLException e) {
            throw new IllegalStateException("the data source does not say what it wraps", e);
        }
    }

    /** Returns all logs, in the order of their numbers. */
    public List<Log> all() {
        return all;
    }

    public Log home() {
        return all.getFirst();
    }

    /** Returns the log of a position; empty if there is no such log. */
    public Optional<Log> of(LogPosition position) {
        return position.log() < all.size() ? Optional.of(all.get(position.log())) : Optional.empty();
    }

    /** Returns the log in which this thread works. */
    public Log current() {
        return all.get(Log.currentNumber());
    }

    /** Returns what a read finds in all logs, one log after the other. */
    public <T> List<T> readAll(Supplier<List<T>> read) {
        return all.stream().flatMap(log -> log.call(read::get).stream()).toList();
    }

    /**
     * Returns the beginning of a list that all logs make together.
     *
     * @param read finds the beginning of the list of one log, in this order, and at most so many items
     */
    public <T> List<T> readAll(Supplier<List<T>> read, Comparator<? super T> order, int max) {
        return readAll(read).stream().sorted(order).limit(max).toList();
    }

    /**
     * Returns what a read finds in each log that answers in time. Several logs are read at once, on threads of their
     * own and in no transaction.
     */
    public <T> Map<Log, T> readReachable(Duration max, Function<Log, T> read) {
        if (all.size() == 1) {
            return Map.of(home(), read.apply(home()));
        }
        long endNanos = System.nanoTime() + max.toNanos();
        Map<Log, CompletableFuture<T>> reads = new LinkedHashMap<>();
        all.forEach(log -> reads.put(
                log, CompletableFuture.supplyAsync(() -> log.call(() -> read.apply(log)), Thread::startVirtualThread)));
        Map<Log, T> found = new LinkedHashMap<>();
        reads.forEach((log, future) -> {
            try {
                found.put(log, future.get(Math.max(0, endNanos - System.nanoTime()), TimeUnit.NANOSECONDS));
            } catch (TimeoutException e) {
                LOG.debug("{} is left out.", log, e);
            } catch (ExecutionException e) {
                requireAway(log, Objects.requireNonNullElse(e.getCause(), e));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while logs were read", e);
            }
        });
        return found;
    }

    /** Throws a failure, unless it means that the log cannot be reached. */
    private static void requireAway(Log log, Throwable failure) {
        if (failure instanceof DataAccessResourceFailureException || failure instanceof TransientDataAccessException) {
            LOG.debug("{} is left out.", log, failure);
        } else {
            throw failure instanceof RuntimeException bug ? bug : new IllegalStateException(failure);
        }
    }

    /** Returns the log of an aggregate. */
    public Log of(String aggregateId) {
        return all.size() == 1 ? home() : of(rule.ofAggregate(aggregateId));
    }

    /** Returns the log of a person. */
    public Log ofPerson(String person) {
        return all.size() == 1 ? home() : of(rule.ofPerson(person));
    }

    private Log of(OptionalInt shard) {
        return shard.isEmpty() ? home() : all.get(map.logOf(shard.getAsInt()));
    }
}
