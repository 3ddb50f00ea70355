package lottery.bench.store;

import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import lottery.bench.Database;

/**
 * What others make of a unit of work like a draw on the same PostgreSQL, to compare a lottery with: its rows alone,
 * without HTTP, rules, journeys or read models.
 */
public enum Baseline {
    BATCH(Entry.BATCH),
    BARE(Entry.BARE),
    STOCK(Entry.STOCK);

    private static final int CALLERS = 64;
    private static final Duration WARM_UP = Duration.ofSeconds(7);
    private static final Duration TIME = Duration.ofSeconds(7);

    private final Entry entry;

    Baseline(Entry entry) {
        this.entry = entry;
    }

    /** Who it is. */
    public String title() {
        return entry.title();
    }

    /** Units that were stored, and how many a second. */
    public record Rate(long units, double perSecond) {}

    /** Measures it in a schema of its own, which is there for that time only. */
    public Rate measure(Database database) throws SQLException {
        Figures.beQuiet();
        Set<Entry> alone = EnumSet.of(entry);
        try (Contest contest = Contest.start(Target.of(database), alone)) {
            contest.warmUp(alone, CALLERS, WARM_UP);
            contest.compare(alone, CALLERS, 1, TIME);
            Round round = contest.rounds().getFirst();
            return new Rate(round.units(), round.unitsPerSecond());
        }
    }
}
