package lottery.bench;

import java.io.PrintStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import lottery.bench.InvariantRunner.ProgressListener;
import lottery.bench.invariant.CheckMoment;
import lottery.bench.invariant.EventTableRow;

/**
 * Reads the event table and the read models from outside, and reports which invariants hold. It shares no code with the
 * lottery. An error in shared code would make both compute the same wrong result.
 *
 * <p>It reads events in global order, a limited number at a time. The state of all streams, accounts, draws and awards,
 * and the rows of the read models, have to fit into memory. If the history is too long for that, it is read several
 * times, each time for a share of the users.
 */
public final class InvariantChecker {

    private static final int SOUND = 0;
    private static final int VIOLATED = 1;
    private static final int NOT_CHECKED = 2;

    /** Counts the events of all logs, by the places of their newest events. */
    private static final String EVENTS =
            "SELECT coalesce(sum(position & %d), 0) FROM event_head".formatted((1L << EventTableRow.POSITION_BITS) - 1);

    /** The tables that the check reads. */
    private static final List<String> TABLES = List.of(
            "event",
            "event_head",
            "claim",
            "counter",
            "series_number",
            "parked_event",
            "view_activity",
            "view_award",
            "view_account",
            "view_win",
            "view_credit_entry",
            "view_entitlement",
            "view_trade",
            "view_winner",
            "view_odds",
            "view_recharge",
            "view_figure",
            "view_proposal",
            "view_sign_in",
            "view_audit");

    /** The tables that the check reads only if there are several logs. */
    private static final List<String> TABLES_OF_LOGS = List.of("counter_block");

    /** The memory that is reserved for each event of a share. */
    private static final long BYTES_PER_EVENT = 2_000;

    private static final String USAGE = """
            Checks the invariants of a lottery by its PostgreSQL.
              --url=jdbc:postgresql://host:port/database   or LOTTERY_POSTGRES_URL
              --user=name                                  or LOTTERY_POSTGRES_USER
              --password=...                               or LOTTERY_POSTGRES_PASSWORD, which nobody else on the machine sees
              --logs=number                                or LOTTERY_LOGS; LOTTERY_LOG_01_URL, _USER and _PASSWORD if log 01 is elsewhere
              --at-rest                                    nothing is under way: every award is answered, every read model is up to date
            Ends with 0 if all invariants hold, 1 if one is violated, 2 if it could not be checked.""";

    private InvariantChecker() {}

    public static void main(String[] arguments) {
        System.exit(run(arguments, System.getenv(), System.out));
    }

    static int run(String[] arguments, Map<String, String> environment, PrintStream out) {
        Options options;
        try {
            options = Options.of(arguments, environment);
        } catch (IllegalArgumentException misunderstood) {
            out.println(misunderstood.getMessage());
            out.println(USAGE);
            return NOT_CHECKED;
        }
        try {
            CheckReport report = check(options.database(), options.moment(), saidOn(out));
            out.println(report.table());
            return report.isSound() ? SOUND : VIOLATED;
        } catch (SQLException unreadable) {
            out.println("The database could not be read: " + unreadable.getMessage());
            return NOT_CHECKED;
        } catch (OutOfMemoryError tooMuch) {
            out.println("There is not enough memory for what this log has to be remembered of: give Java more (-Xmx).");
            return NOT_CHECKED;
        } catch (RuntimeException unexpected) {
            out.println("The check broke off: " + unexpected);
            return NOT_CHECKED;
        }
    }

    /** Returns a receiver that prints the progress of the check as lines of text. */
    public static ProgressListener saidOn(PrintStream out) {
        return (number, of, events) -> out.printf(Locale.ROOT, "Reading %d of %d: %,d events%n", number, of, events);
    }

    /** Checks the database as it is now. */
    public static CheckReport check(CheckedDatabase database, CheckMoment moment) throws SQLException {
        return check(database, moment, (number, of, events) -> {});
    }

    /** Checks the database as it is now, and reports the progress. */
    public static CheckReport check(CheckedDatabase database, CheckMoment moment, ProgressListener progress)
            throws SQLException {
        return check(database, moment, progress, InvariantChecker::shares);
    }

    /** @param shares returns the number of shares of users for a number of events */
    static CheckReport check(
            CheckedDatabase database, CheckMoment moment, ProgressListener progress, LongToIntFunction shares)
            throws SQLException {
        try (Connection connection = database.connect()) {
            if (!database.others().isEmpty()) {
                unite(connection, database);
            }
            return check(connection, moment, progress, shares);
        }
    }

    /** Lets the transaction of the check read all logs, and from then on write nothing. */
    private static void unite(Connection connection, CheckedDatabase database) throws SQLException {
        List<String> tables =
                Stream.of(TABLES, TABLES_OF_LOGS).flatMap(List::stream).toList();
        Stream<String> ofOthers = IntStream.rangeClosed(1, database.others().size())
                .filter(log -> database.others().get(log - 1).url().equals(database.url()))
                .mapToObj(log -> tables.stream().map(table -> UnitedLogs.schema(log) + "." + table))
                .flatMap(Function.identity());
        try (Statement statement = connection.createStatement()) {
            statement.execute(UnitedLogs.lock(Stream.concat(tables.stream(), ofOthers)));
            UnitedLogs.create(connection, database, tables);
            statement.execute("SET TRANSACTION READ ONLY");
        }
    }

    /** Checks the database over a connection. The transaction of the check is rolled back at the end. */
    static CheckReport check(
            Connection connection, CheckMoment moment, ProgressListener progress, LongToIntFunction shares)
            throws SQLException {
        CheckReport report = new CheckReport(
                InvariantRunner.check(connection, moment, shares.applyAsInt(events(connection)), progress));
        connection.rollback();
        return report;
    }

    /**
     * Returns the number of events. If there is one log, this is the first query of the transaction, so it also
     * determines the snapshot that all later queries read.
     */
    private static long events(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(UnitedLogs.lock(TABLES.stream()));
            try (ResultSet row = statement.executeQuery(EVENTS)) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    /**
     * Returns the number of shares into which the users are divided. It is the smallest number for which the events of
     * each share fit into half of the memory. Shares consist of whole shards, so some shares can be larger than others.
     * The largest share has to fit, too.
     */
    static int shares(long events) {
        double atOnce = Runtime.getRuntime().maxMemory() / 2.0 / BYTES_PER_EVENT;
        double eventsPerShard = (double) events / InvariantRunner.SHARES_MAX;
        return IntStream.rangeClosed(1, InvariantRunner.SHARES_MAX)
                .filter(shares -> Math.ceilDiv(InvariantRunner.SHARES_MAX, shares) * eventsPerShard <= atOnce)
                .findFirst()
                .orElse(InvariantRunner.SHARES_MAX);
    }

    private record Options(CheckedDatabase database, CheckMoment moment) {

        private static final String AT_REST = "--at-rest";

        static Options of(String[] arguments, Map<String, String> environment) {
            Map<String, String> named = new HashMap<>();
            CheckMoment moment = CheckMoment.IN_FLIGHT;
            for (String argument : arguments) {
                int equals = argument.indexOf('=');
                if (argument.equals(AT_REST)) {
                    moment = CheckMoment.AT_REST;
                } else if (argument.startsWith("--") && equals > 0) {
                    named.put(argument.substring(2, equals), argument.substring(equals + 1));
                } else {
                    throw new IllegalArgumentException("Not understood: " + argument);
                }
            }
            CheckedDatabase database = CheckedDatabase.of(named, environment);
            if (!named.isEmpty()) {
                throw new IllegalArgumentException("Not understood: --" + String.join(", --", named.keySet()));
            }
            return new Options(database, moment);
        }
    }
}
