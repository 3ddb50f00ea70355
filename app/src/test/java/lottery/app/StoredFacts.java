package lottery.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import lottery.bench.CheckReport;
import lottery.bench.CheckedDatabase;
import lottery.bench.InvariantChecker;
import lottery.bench.UnitedLogs;
import lottery.bench.invariant.CheckMoment;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Reads what is really in the database, whatever the answers said. */
final class StoredFacts {

    private static final String URL = Servers.property("lottery.postgres.url");
    /** With several logs, a role that may create temporary views. */
    private static final String USER = Servers.LOGS > 1 ? "postgres" : Servers.property("lottery.postgres.user");

    private static final String PASSWORD = Servers.property("lottery.postgres.password");

    private static final CheckedDatabase LOTTERY = new CheckedDatabase(URL, USER, PASSWORD).withLogs(Servers.LOGS);

    private static final JdbcClient DATABASE = JdbcClient.create(new UnitedLogsDataSource());

    private static final JdbcClient OWNER = JdbcClient.create(new DriverManagerDataSource(
            URL, Servers.property("lottery.postgres.owner"), Servers.property("lottery.postgres.owner-password")));

    /** After a kill, Kafka's group waits for the members that are gone before it lets others read. */
    private static final Duration AT_REST_MAX = Duration.ofMinutes(5);

    private StoredFacts() {}

    /**
     * Gives connections that read all logs as one. Each of them is new, because the views of a connection do not let
     * tables be dropped.
     */
    private static final class UnitedLogsDataSource extends DriverManagerDataSource {

        private static final List<String> TABLES = List.of(
                "event",
                "event_head",
                "event_readable",
                "token",
                "counter",
                "counter_block",
                "series_number",
                "replay",
                "simulated_trade");

        UnitedLogsDataSource() {
            super(URL, USER, PASSWORD);
        }

        @Override
        protected Connection getConnectionFromDriver(Properties properties) throws SQLException {
            Connection connection = super.getConnectionFromDriver(properties);
            if (Servers.LOGS > 1) {
                UnitedLogs.create(connection, LOTTERY, TABLES);
            }
            return connection;
        }
    }

    /** Executes a statement as the owner of the tables. */
    static void execute(String statement) {
        OWNER.sql(statement).update();
    }

    /** Returns the number of events, and 0 before the first lottery has used these servers. */
    static long head() {
        try {
            return DATABASE.sql("SELECT sum(position & ((1::bigint << 46) - 1))::bigint FROM event_head")
                    .query(Long.class)
                    .single();
        } catch (BadSqlGrammarException noTable) {
            return 0;
        }
    }

    /**
     * Returns a position that is before all events of an activity that is defined from now on. With several logs, it is
     * before all events, because each log has positions of its own.
     */
    static long positionBeforeNewActivity() {
        return Servers.LOGS > 1 ? 0 : head();
    }

    /** Returns how many events of each type have this trace id. */
    static Map<String, Integer> eventsOf(String trace) {
        Map<String, Integer> events = new TreeMap<>();
        DATABASE.sql("SELECT type, count(*) AS events FROM event_readable WHERE metadata ->> 'traceId' = ? GROUP BY"
                        + " type")
                .param(trace)
                .query(row -> {
                    events.put(row.getString("type"), row.getInt("events"));
                });
        return events;
    }

    /** Returns the actors of the events of this type in an activity, each as name and role. */
    static List<String> actorsOf(String type, long activity) {
        return DATABASE.sql(
                        "SELECT concat(coalesce(metadata ->> 'actor', '-'), ' ', coalesce(metadata ->> 'role', '-'))"
                                + " FROM event_readable WHERE type = ? AND (payload ->> 'activityId')::bigint = ?")
                .param(type)
                .param(activity)
                .query((row, _) -> String.valueOf(row.getString(1)))
                .list();
    }

    /** Returns how many events the slowest processor is behind the log, by what is stored. */
    static long behind() {
        return DATABASE.sql("""
                        SELECT coalesce(max((position & ((1::bigint << 46) - 1))
                            - CASE jsonb_typeof(token) WHEN 'number' THEN token::bigint
                              ELSE (token ->> 'at')::bigint END), 0)
                        FROM token JOIN event_head ON %s""".formatted(Servers.LOGS > 1 ? "token.in_log = event_head.in_log" : "true"))
                .query(Long.class)
                .single();
    }

    /** Returns the number of the process that has a processor, and 0 if none has it. */
    static long ownerOf(String processor) {
        return DATABASE.sql("SELECT coalesce(max(split_part(owner, '@', 1)::bigint), 0) FROM token WHERE processor = ?")
                .param(processor)
                .query(Long.class)
                .single();
    }

    /** Returns which processors a process has, by its number. */
    static Set<String> processorsOf(long process) {
        return Set.copyOf(DATABASE.sql("SELECT processor FROM token WHERE split_part(owner, '@', 1) = ?")
                .param(Long.toString(process))
                .query(String.class)
                .list());
    }

    /** Counts the transactions of a client that have written something, and for which it does nothing right now. */
    static long idleTransactions(String applicationName) {
        return DATABASE.sql("SELECT count(*) FROM pg_stat_activity WHERE application_name = ?"
                        + " AND state = 'idle in transaction' AND backend_xid IS NOT NULL")
                .param(applicationName)
                .query(Long.class)
                .single();
    }

    /** Counts the connections of clients whose names begin with this. */
    static long connections(String applicationNames) {
        return DATABASE.sql("SELECT count(*) FROM pg_stat_activity WHERE starts_with(application_name, ?)")
                .param(applicationNames)
                .query(Long.class)
                .single();
    }

    /** Returns what all clients do that have something open, for the message of a failure. */
    static String openTransactions() {
        return String.join("\n", DATABASE.sql("""
                        SELECT concat_ws(' ', application_name, pid, state, wait_event, clock_timestamp() - state_change,
                            'blocked by', pg_blocking_pids(pid), left(query, 200))
                        FROM pg_stat_activity WHERE xact_start IS NOT NULL AND pid <> pg_backend_pid()""").query(String.class).list());
    }

    /** Returns the actors of the events of this type of an award record, each as name and role. */
    static List<String> actorsOfAward(String type, String record) {
        return DATABASE.sql(
                        "SELECT concat(coalesce(metadata ->> 'actor', '-'), ' ', coalesce(metadata ->> 'role', '-'))"
                                + " FROM event_readable WHERE type = ? AND aggregate_id = ?")
                .params(type, record)
                .query((row, _) -> String.valueOf(row.getString(1)))
                .list();
    }

    /** Returns the names of the events of an award record, in their order. */
    static List<String> eventsOfRecord(String record) {
        return DATABASE.sql("SELECT type FROM event WHERE aggregate_id = ? ORDER BY sequence")
                .param(record)
                .query((row, _) -> String.valueOf(row.getString(1)))
                .list();
    }

    /** Returns the tables of all logs that have a text anywhere in a row, also in bytes. */
    static List<String> tablesWith(String text) {
        String bytes = HexFormat.of().formatHex(text.getBytes(UTF_8));
        List<String> tables = OWNER.sql(
                        "SELECT concat(nullif(quote_ident(schemaname) || '.', 'public.'), quote_ident(tablename)) FROM pg_tables"
                                + " WHERE schemaname = 'public' OR schemaname ~ '^log_[0-9]{2}$'")
                .query((row, _) -> String.valueOf(row.getString(1)))
                .list();
        assertThat(tables).contains("event", "person_key", "saga");
        return tables.stream()
                .filter(table -> OWNER.sql(
                                "SELECT EXISTS (SELECT FROM " + table
                                        + " AS each WHERE position(:text IN each::text) > 0 OR position(:bytes IN each::text) > 0)")
                        .param("text", text)
                        .param("bytes", bytes)
                        .query(Boolean.class)
                        .single())
                .toList();
    }

    /** Returns the orders of an activity to which this has happened, in the order of the log. */
    static List<String> orders(TrialActivity activity, String event) {
        return DATABASE.sql("SELECT aggregate_id FROM event_readable WHERE position > ? AND type = ?"
                        + " AND (payload ->> 'activityId')::bigint = ? ORDER BY position")
                .params(activity.since(), event, activity.id())
                .query((row, _) -> String.valueOf(row.getString(1)))
                .list();
    }

    /**
     * Returns the requests for draws that were answered or refused, each as often as that, in the order of the log. The
     * id of a request is that of its order, unless an older order was still open.
     */
    static List<String> endedRequests(TrialActivity activity) {
        return DATABASE.sql("SELECT aggregate_id FROM event_readable WHERE position > ?"
                        + " AND type IN ('raffle.drawn', 'raffle.request-answered', 'raffle.order-refused')"
                        + " AND (payload ->> 'activityId')::bigint = ? ORDER BY position")
                .params(activity.since(), activity.id())
                .query((row, _) -> String.valueOf(row.getString(1)))
                .list();
    }

    /** Returns the read models that are being built anew, each with all that is stored about it. */
    static List<String> replays() {
        return DATABASE.sql("SELECT replay::text FROM replay")
                .query((row, _) -> String.valueOf(row.getString(1)))
                .list();
    }

    static long draws(TrialActivity activity) {
        return events("raffle.drawn", activity);
    }

    static long events(String type, TrialActivity activity) {
        return DATABASE.sql("SELECT count(*) FROM event_readable"
                        + " WHERE position > ? AND type = ? AND (payload ->> 'activityId')::bigint = ?")
                .params(activity.since(), type, activity.id())
                .query(Long.class)
                .single();
    }

    /** Returns how many events of a type came since an activity was defined, whether they name an activity or not. */
    static long eventsSince(String type, TrialActivity activity) {
        return DATABASE.sql("SELECT count(*) FROM event WHERE position > ? AND type = ?"
                        + " AND at >= (SELECT min(at) FROM event WHERE aggregate_id = ?)")
                .params(activity.since(), type, "activity:" + activity.id())
                .query(Long.class)
                .single();
    }

    /** Returns the time that the newest event says. */
    static Instant newestEventAt() {
        return DATABASE.sql(
                        Servers.LOGS > 1
                                ? "SELECT max(at) FROM event"
                                : "SELECT at FROM event ORDER BY position DESC LIMIT 1")
                .query(OffsetDateTime.class)
                .single()
                .toInstant();
    }

    /** Returns the raffle orders of an activity. */
    static Set<String> orders(TrialActivity activity) {
        return Set.copyOf(DATABASE.sql("SELECT DISTINCT payload ->> 'orderId' FROM event_readable"
                        + " WHERE position > ? AND (payload ->> 'activityId')::bigint = ?"
                        + " AND payload ->> 'orderId' IS NOT NULL")
                .params(activity.since(), activity.id())
                .query(String.class)
                .list());
    }

    static long wins(TrialActivity activity, int awardId) {
        return DATABASE.sql("SELECT count(*) FROM event_readable WHERE position > ? AND type = 'award.won'"
                        + " AND (payload ->> 'activityId')::bigint = ? AND (payload -> 'award' ->> 'awardId')::int = ?")
                .params(activity.since(), activity.id(), awardId)
                .query(Long.class)
                .single();
    }

    /** Returns how long after an event of the activity the newest draw began that won an award. */
    static Duration newestDraw(TrialActivity activity, int awardId, String event) {
        return DATABASE.sql(
                        "SELECT extract(epoch FROM max((won.payload ->> 'wonAt')::timestamptz) - max(decided.at)) * 1000"
                                + " FROM event_readable AS won, event_readable AS decided"
                                + " WHERE won.position > ? AND won.type = 'award.won'"
                                + " AND (won.payload ->> 'activityId')::bigint = ? AND (won.payload -> 'award' ->> 'awardId')::int = ?"
                                + " AND decided.type = ? AND decided.aggregate_id = ?")
                .params(activity.since(), activity.id(), awardId, event, "activity:" + activity.id())
                .query((row, _) -> Duration.ofMillis(row.getLong(1)))
                .single();
    }

    /** Returns the award records that were won in an activity, drawn or in place of others. */
    static Set<String> awardRecords(TrialActivity activity) {
        return Set.copyOf(awardRecords(activity, "award.won"));
    }

    /** Returns the award records to which this has happened, each as often as it has. */
    static List<String> awardRecords(TrialActivity activity, String event) {
        String sql = """
            SELECT happened.payload ->> 'awardRecordId' FROM event_readable AS happened
            JOIN event_readable AS won ON won.aggregate_id = happened.aggregate_id AND won.type = 'award.won'
            WHERE happened.position > ? AND happened.type = ?
                AND won.position > ? AND (won.payload ->> 'activityId')::bigint = ?\
            """;
        return DATABASE.sql(sql)
                .params(activity.since(), event, activity.since(), activity.id())
                .query((row, number) -> row.getString(1))
                .list();
    }

    static List<String> grantedByCode(TrialActivity activity) {
        String sql = """
            SELECT granted.aggregate_id FROM event_readable AS granted
            JOIN event_readable AS won ON won.aggregate_id = granted.aggregate_id AND won.type = 'award.won'
            WHERE granted.position > ? AND granted.type IN ('award.won', 'award.granted')
                AND coalesce(granted.payload ->> 'grantReference', granted.payload ->> 'reference') LIKE 'code:%'
                AND won.position > ? AND (won.payload ->> 'activityId')::bigint = ?\
            """;
        return DATABASE.sql(sql)
                .params(activity.since(), activity.since(), activity.id())
                .query((row, number) -> row.getString(1))
                .list();
    }

    /** Returns the award records that have codes of an activity, each as often as it has one. */
    static List<String> recordsWithCode(TrialActivity activity) {
        return DATABASE.sql("SELECT holder FROM series_number WHERE series LIKE ?")
                .param("codes:%d/%%".formatted(activity.id()))
                .query((row, number) -> row.getString(1))
                .list();
    }

    /** Returns how many units of a limited stock are taken: {@code award:%d/2} is award 2 of an activity. */
    static long taken(TrialActivity activity, String counter) {
        return DATABASE.sql("SELECT coalesce(sum(taken), 0) FROM counter WHERE name = ?")
                .param(counter.formatted(activity.id()))
                .query(Long.class)
                .single();
    }

    /** Requires that all invariants hold that have to hold while something may be under way. */
    static void requireSoundInFlight() throws SQLException {
        CheckReport report = InvariantChecker.check(LOTTERY, CheckMoment.IN_FLIGHT);
        assertThat(report.isSound()).as(report.table()).isTrue();
    }

    /** Waits until nothing is under way and all invariants hold. */
    static void awaitSound() {
        await().atMost(AT_REST_MAX).pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> {
            // Cheap, and true before all else is: the checker reads the whole log.
            assertThat(behind()).as("events behind").isZero();
            assertThat(differencesFromProvider())
                    .as("money in the books of the simulated provider, beside the last event about it")
                    .isEmpty();
            requireSound(LOTTERY);
        });
    }

    /** Returns all money that the provider has taken or given back, and the lottery has noted otherwise, or not yet. */
    private static List<String> differencesFromProvider() {
        return DATABASE.sql("""
                WITH noted AS (
                    SELECT DISTINCT ON (trade_no) payload #>> '{trade,tradeNo}' AS trade_no, type
                    FROM event_readable WHERE type LIKE 'payment.%' AND payload -> 'trade' IS NOT NULL
                    ORDER BY trade_no, position DESC)
                SELECT concat_ws(' ', trade_no, amount, currency, refund_no, type)
                FROM simulated_trade LEFT JOIN noted USING (trade_no)
                WHERE taken_at < now()
                  AND (type IS NULL OR type IN ('payment.money-taken', 'payment.refund-ordered')
                    OR (type = 'payment.refunded') <> (refund_no IS NOT NULL))""")
                .query((row, _) -> String.valueOf(row.getString(1)))
                .list();
    }

    /** Waits until the same holds in the database of other servers. */
    static void awaitSound(CheckedDatabase other, Duration max) {
        await().atMost(max).pollInterval(Duration.ofSeconds(1)).untilAsserted(() -> requireSound(other));
    }

    private static void requireSound(CheckedDatabase database) throws SQLException {
        CheckReport report = InvariantChecker.check(database, CheckMoment.AT_REST);
        assertThat(report.isSound()).as(report.table()).isTrue();
    }
}
