package lottery.view.activity;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import lottery.api.activity.ActivityId;
import lottery.store.log.HomeLog;
import lottery.view.RequiredPositionHolder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/**
 * Caches the ids of all activities. So requests for activities that do not exist cost almost no database queries, even
 * if every request has another invented id. If an id is not in the cache, one statement reads all ids, and its result
 * serves all such requests for 200 ms. If there are too many ids to cache, each id that is not cached is looked up.
 *
 * <p>A caller that has waited for a position must see all activities up to it. Such a caller is told that an activity
 * does not exist only if the ids were read after a wait for that position or a later one. Other callers see a new
 * activity at once if this process handles the events, and a moment later if another process does.
 */
@Component
class KnownActivityIds implements MeterBinder {

    private static final Duration MOMENT = Duration.ofMillis(200);

    /** The most ids in the cache. If there are more, the database is asked for each id that is not cached. */
    private static final int IDS_MAX = 100_000;

    private static final long READS_MAX = 100;

    private static final String SOME = "SELECT activity_id FROM view_activity LIMIT ?";
    private static final String ONE = "SELECT EXISTS (SELECT FROM view_activity WHERE activity_id = ?)";

    /**
     * The result of a read.
     *
     * @param areAll whether these are all ids; false if there are more ids than are cached
     * @param asOf the newest position that a caller had waited for before the read
     */
    private record IdSnapshot(Set<Long> values, boolean areAll, long asOf) {

        boolean has(ActivityId activityId) {
            return values.contains(activityId.value());
        }

        /** Returns whether these ids include all activities up to this position. */
        boolean areAllAt(long position) {
            return areAll && asOf >= position;
        }
    }

    private final JdbcOperations database;
    private final int idsMax;

    /**
     * Caches the results of the last reads of all ids. The key of a result is the number of new activities that this
     * process had recorded when the read began. Each new activity increases this number. So a result of a read that
     * began before the newest activity is not used any more.
     */
    private final LoadingCache<Long, IdSnapshot> recent = Caffeine.newBuilder()
            .maximumSize(READS_MAX)
            .expireAfterWrite(MOMENT)
            .build(_ -> read());

    private final AtomicLong arrivals = new AtomicLong();
    private final AtomicLong waitedFor = new AtomicLong();
    private final LongAdder unknown = new LongAdder();

    /**
     * The ids that were read last. Some ids may be missing, but none is wrong, because an activity never disappears.
     */
    private volatile IdSnapshot known = new IdSnapshot(Set.of(), true, 0);

    @Autowired
    KnownActivityIds(@HomeLog JdbcOperations database) {
        this(database, IDS_MAX);
    }

    /** @param idsMax the most ids that are cached */
    KnownActivityIds(JdbcOperations database, int idsMax) {
        this.database = database;
        this.idsMax = idsMax;
    }

    boolean has(ActivityId activityId) {
        if (known.has(activityId)) {
            return true;
        }
        var _ = waitedFor.accumulateAndGet(RequiredPositionHolder.positionAtHome(), Math::max);
        // If there were too many ids to cache at the last read, there will always be too many. So the ids are not read
        // again.
        IdSnapshot ids = known.areAll() ? recent.get(arrivals.get()) : known;
        boolean there = ids.has(activityId)
                || (!ids.areAllAt(RequiredPositionHolder.positionAtHome())
                        && Boolean.TRUE.equals(database.queryForObject(ONE, Boolean.class, activityId.value())));
        if (!there) {
            unknown.increment();
        }
        return there;
    }

    private IdSnapshot read() {
        long asOf = waitedFor.get();
        Set<Long> values = Set.copyOf(database.queryForList(SOME, Long.class, idsMax + 1));
        known = new IdSnapshot(values, values.size() <= idsMax, asOf);
        return known;
    }

    /** Records a new activity, which all callers have to see. */
    void arrived() {
        arrivals.incrementAndGet();
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        FunctionCounter.builder("lottery.activities.unknown", unknown, LongAdder::sum)
                .description("Questions about activities that do not exist")
                .register(registry);
    }
}
