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
import lottery.view.RequiredPosition;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/**
 * The ids of all activities, so that one that there is not costs no look at the database, however many are made up:
 * remembering those that are unknown would only help against who asks for the same one again. All ids are read with one
 * statement, when somebody asks for one that is not among them, and for all who do so within a moment. Only where there
 * are very many is each looked up that is not among those that are kept.
 *
 * <p>Whoever has waited for a position is never told from memory that there is no such activity, unless this was read
 * after somebody had waited for that position or a later one. Who has not is told of a new one at once where this
 * process reads the events, and a moment later where another one does.
 */
@Component
class KnownActivityIds implements MeterBinder {

    private static final Duration MOMENT = Duration.ofMillis(200);

    /** Where there are more, the database is asked for each that is not among these. */
    private static final int IDS_MAX = 100_000;

    private static final long READS_MAX = 100;

    private static final String SOME = "SELECT activity_id FROM view_activity LIMIT ?";
    private static final String ONE = "SELECT EXISTS (SELECT FROM view_activity WHERE activity_id = ?)";

    /**
     * What was read.
     *
     * @param areAll no: there are more than are kept
     * @param asOf the newest position that somebody had waited for before
     */
    private record Ids(Set<Long> values, boolean areAll, long asOf) {

        boolean has(ActivityId activityId) {
            return values.contains(activityId.value());
        }

        /** Whether there is nothing but these, for whoever has waited for this position. */
        boolean areAllAt(long position) {
            return areAll && asOf >= position;
        }
    }

    private final JdbcOperations database;
    private final int idsMax;

    /** By how many have arrived: what was read before the last one did is of no use, even if it comes later. */
    private final LoadingCache<Long, Ids> recent = Caffeine.newBuilder()
            .maximumSize(READS_MAX)
            .expireAfterWrite(MOMENT)
            .build(_ -> read());

    private final AtomicLong arrivals = new AtomicLong();
    private final AtomicLong waitedFor = new AtomicLong();
    private final LongAdder unknown = new LongAdder();

    /** However old: what is there does not go away. */
    private volatile Ids known = new Ids(Set.of(), true, 0);

    @Autowired
    KnownActivityIds(JdbcOperations database) {
        this(database, IDS_MAX);
    }

    /** @param idsMax that are kept */
    KnownActivityIds(JdbcOperations database, int idsMax) {
        this.database = database;
        this.idsMax = idsMax;
    }

    boolean has(ActivityId activityId) {
        if (known.has(activityId)) {
            return true;
        }
        var _ = waitedFor.accumulateAndGet(RequiredPosition.position(), Math::max);
        // Where there are too many there always will be, and reading them once more would find no more of them.
        Ids ids = known.areAll() ? recent.get(arrivals.get()) : known;
        boolean there = ids.has(activityId)
                || (!ids.areAllAt(RequiredPosition.position())
                        && Boolean.TRUE.equals(database.queryForObject(ONE, Boolean.class, activityId.value())));
        if (!there) {
            unknown.increment();
        }
        return there;
    }

    private Ids read() {
        long asOf = waitedFor.get();
        Set<Long> values = Set.copyOf(database.queryForList(SOME, Long.class, idsMax + 1));
        known = new Ids(values, values.size() <= idsMax, asOf);
        return known;
    }

    /** There is a new one, for everybody to see. */
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
