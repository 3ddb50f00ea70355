package lottery.store.axon;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import lottery.store.commit.CommitUnit;
import lottery.store.commit.CommitUnit.SeriesNumberRequest;
import lottery.store.commit.CounterExhaustedException;
import lottery.store.commit.SeriesExtent;
import lottery.store.connection.SynchronousStandby;
import lottery.store.log.Log;
import lottery.store.log.LogPosition;
import lottery.store.log.Logs;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Series of numbers from 1 on, without gaps, in the order of commits. A number is given in the same commit as the
 * events of its unit of work, so neither exists without the other. A series can be closed once; after that commit no
 * process gets a number from it. A series can also have a last number, which can be raised.
 *
 * <p>All reads are of the home log. A unit of work in another log takes numbers of a series of that log, which count
 * when they are {@linkplain #gather gathered} at home. A series with a last number is only at home.
 */
public final class NamedNumberSeries {

    private static final int KNOWN_MAX = 10_000;

    /** How many numbers are gathered in one statement. */
    private static final int GATHERED_AT_ONCE_MAX = 10_000;

    /** The positions of all other logs have numbers from this one on. */
    private static final long BEYOND_HOME = new LogPosition(1, 0).number();

    private final UnitOfWorkAppender appender;
    private final Logs logs;

    /**
     * How many numbers were left in a series when this process looked. By now there may be fewer. Then a commit fails,
     * and the process looks again. That none is left is never remembered.
     */
    private final Cache<String, Integer> left =
            Caffeine.newBuilder().maximumSize(KNOWN_MAX).build();

    NamedNumberSeries(UnitOfWorkAppender appender, Logs logs) {
        this.appender = appender;
        this.logs = logs;
    }

    private JdbcClient home() {
        return logs.home().sql();
    }

    /**
     * A number and its holder.
     *
     * @param position the position of the first event of the unit of work that took the number; if that was in another
     *     log, the number of its {@link LogPosition}
     */
    public record AssignedNumber(int number, String holder, long position) {}

    /**
     * Takes the next number in the commit of this unit of work. If the series is closed, the unit of work fails with
     * {@link NumberSeriesClosedException}. The number is known after the commit.
     */
    public void take(String series, String holder) {
        CommitUnit unit = appender.unit();
        SeriesNumberRequest wanted = new SeriesNumberRequest(series, holder);
        unit.number(wanted);
        CurrentUnitOfWork.get().onRollback(_ -> unit.forgetNumber(wanted));
    }

    /**
     * Takes the next number of a series with a limit. If others have taken the last number before this unit of work is
     * committed, it fails with {@link CounterExhaustedException}, and its command is decided again.
     *
     * <p>A unit of work in another log than the home log takes the number at once. If the unit fails, the holder keeps
     * its number, and gets the same number when it takes one again.
     *
     * @return whether a number was left; false, too, if the series has no limit
     */
    public boolean takeIfLeft(String series, String holder) {
        if (!isTakenInCommit()) {
            return takeAtHome(series, holder);
        }
        long wanted = 1
                + appender.unit().numbered().stream()
                        .filter(number -> number.series().equals(series))
                        .count();
        Integer known = left.getIfPresent(series);
        if (known == null || known < wanted) {
            known = extent(series).map(SeriesExtent::left).orElse(0);
            left.put(series, known);
        }
        if (known < wanted) {
            return false;
        }
        take(series, holder);
        CurrentUnitOfWork.get().root().onRollback(_ -> left.invalidate(series));
        return true;
    }

    /**
     * Returns whether the current unit of work would take the number of a series with a limit in its commit, and not at
     * once.
     */
    public boolean isTakenInCommit() {
        return logs.current().isHome();
    }

    private boolean takeAtHome(String series, String holder) {
        try {
            boolean isGiven = home().sql("""
                            WITH had AS (SELECT FROM series_number WHERE series = :series AND holder = :holder),
                            next AS (
                                UPDATE series SET newest = newest + 1
                                WHERE name = :series AND newest < last AND NOT EXISTS (SELECT FROM had)
                                RETURNING newest),
                            given AS (
                                INSERT INTO series_number (series, number, holder, position)
                                SELECT :series, newest, :holder, :position FROM next RETURNING number)
                            SELECT EXISTS (SELECT FROM had) OR EXISTS (SELECT FROM given)""")
                    .param("series", series)
                    .param("holder", holder)
                    .param("position", new LogPosition(logs.current().number(), 0).number())
                    .query(Boolean.class)
                    .single();
            // Another caller for this holder may have got the last number meanwhile.
            return isGiven || numberOf(series, holder).isPresent();
        } catch (DuplicateKeyException atTheSameTime) {
            return numberOf(series, holder).isPresent();
        }
    }

    /**
     * Closes a series in all other logs, and adds their numbers to those of the home log, one log after the other, so
     * that the numbers are again without gaps. The series has to be closed at home. Gathering it again changes nothing.
     */
    public void gather(String series) {
        List<Log> others = logs.all().subList(1, logs.all().size());
        if (others.isEmpty()) {
            return;
        }
        int newest = home().sql("SELECT count(*) FROM series_number WHERE series = ? AND position < ?")
                .params(series, BEYOND_HOME)
                .query(Integer.class)
                .single();
        for (Log log : others) {
            int count = closed(log, series);
            log.sql().sql(SynchronousStandby.AWAIT).query().listOfRows();
            for (int above = 0; above < count; above += GATHERED_AT_ONCE_MAX) {
                add(log, series, newest, above(log, series, above, GATHERED_AT_ONCE_MAX));
            }
            newest += count;
        }
        home().sql("UPDATE series SET newest = ? WHERE name = ?")
                .params(newest, series)
                .update();
    }

    /** Closes a series in a log, and returns its newest number. */
    private static int closed(Log log, String series) {
        return log.sql().sql("""
                        INSERT INTO series (name, newest, closed) VALUES (?, 0, true)
                        ON CONFLICT (name) DO UPDATE SET closed = true RETURNING newest""").param(series).query(Integer.class).single();
    }

    private void add(Log log, String series, int newest, List<AssignedNumber> numbers) {
        home().sql("""
                        INSERT INTO series_number (series, number, holder, position)
                        SELECT ?, number, holder, position FROM unnest(?, ?, ?) AS added (number, holder, position)
                        ON CONFLICT DO NOTHING""")
                .params(
                        series,
                        numbers.stream().map(each -> newest + each.number()).toArray(Integer[]::new),
                        numbers.stream().map(AssignedNumber::holder).toArray(String[]::new),
                        numbers.stream()
                                .map(each -> new LogPosition(log.number(), each.position()).number())
                                .toArray(Long[]::new))
                .update();
    }

    /**
     * Raises the last number of a series, at once and in no unit of work. A lower number than before changes nothing.
     */
    public void raise(String series, int last) {
        home().sql("""
                        INSERT INTO series AS known (name, newest, closed, last) VALUES (?, 0, false, ?)
                        ON CONFLICT (name) DO UPDATE SET last = greatest(known.last, excluded.last)""").params(series, last).update();
    }

    /** Returns the numbers of a series; empty if it has no limit. */
    public Optional<SeriesExtent> extent(String series) {
        return home().sql("SELECT newest, last FROM series WHERE name = ? AND last IS NOT NULL")
                .param(series)
                .query((row, _) -> new SeriesExtent(row.getInt(1), row.getInt(2)))
                .optional();
    }

    /** Closes a series with the events of this unit of work. A series that gave no number can be closed, too. */
    public void close(String series) {
        CommitUnit unit = appender.unit();
        unit.closeSeries(series);
        CurrentUnitOfWork.get().onRollback(_ -> unit.forgetClosing(series));
    }

    public boolean isClosed(String series) {
        return home().sql("SELECT closed FROM series WHERE name = ?")
                .param(series)
                .query(Boolean.class)
                .optional()
                .orElse(false);
    }

    /** Returns the newest number of the current log, before the numbers are gathered; 0 if none was given yet. */
    public int newestHere(String series) {
        return newest(logs.current(), series);
    }

    /** Returns the newest number; 0 if none was given yet. */
    public int newest(String series) {
        return newest(logs.home(), series);
    }

    private static int newest(Log log, String series) {
        return log.sql()
                .sql("SELECT newest FROM series WHERE name = ?")
                .param(series)
                .query(Integer.class)
                .optional()
                .orElse(0);
    }

    public OptionalInt numberOf(String series, String holder) {
        return home().sql("SELECT number FROM series_number WHERE holder = ? AND series = ?")
                .params(holder, series)
                .query(Integer.class)
                .optional()
                .map(OptionalInt::of)
                .orElseGet(OptionalInt::empty);
    }

    /** Returns the numbers of those holders that have one. */
    public Map<String, Integer> numbersOf(String series, Collection<String> holders) {
        Map<String, Integer> numbers = new HashMap<>();
        if (!holders.isEmpty()) {
            RowCallbackHandler add = row -> numbers.put(row.getString(1), row.getInt(2));
            home().sql("SELECT holder, number FROM series_number WHERE holder = ANY (?) AND series = ?")
                    .params(holders.toArray(String[]::new), series)
                    .query(add);
        }
        return numbers;
    }

    /** Returns the numbers above the given one, in ascending order, {@code max} at most. */
    public List<AssignedNumber> above(String series, int number, int max) {
        return above(logs.home(), series, number, max);
    }

    private static List<AssignedNumber> above(Log log, String series, int number, int max) {
        return log.sql()
                .sql("""
                        SELECT number, holder, position FROM series_number
                        WHERE series = ? AND number > ? AND number <= ? ORDER BY number""")
                .params(series, number, number + max)
                .query((row, _) -> new AssignedNumber(row.getInt(1), row.getString(2), row.getLong(3)))
                .list();
    }
}
