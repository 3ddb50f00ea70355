package lottery.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.RaffleRequestIdentity;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.postgresql.PGConnection;

/** Measures the freeze and the draw of a large pool. {@code -Dtrial.entries=1000000} says how large it is. */
@DisplayName("A pool of many entries")
@EnabledIfSystemProperty(named = "trial.entries", matches = "\\d+")
class PoolFiguresIT {

    private static final int ENTRIES = Integer.getInteger("trial.entries", 0);
    private static final int WINNERS = Integer.getInteger("trial.winners", 10_000);
    private static final int USERS = 50_000;
    private static final int ROWS_PER_COPY = 10_000;
    private static final Duration WRITTEN_MAX = Duration.ofSeconds(Math.max(20, ENTRIES / 5_000));
    private static final Duration DRAWN_MAX = Duration.ofMinutes(5);

    @Test
    @DisplayName("is frozen and drawn within two minutes, with less than a gigabyte of memory")
    void figures() throws Exception {
        try (LotteryProcess lottery = LotteryProcess.open(environment())) {
            Instant closeAt = Instant.now().truncatedTo(ChronoUnit.SECONDS).plus(WRITTEN_MAX);
            TrialActivity activity = open(lottery, WINNERS, closeAt);
            long begun = System.nanoTime();
            write(activity, ENTRIES);
            System.out.printf(
                    "written after %d s%n",
                    Duration.ofNanos(System.nanoTime() - begun).toSeconds());
            assertThat(Instant.now()).isBefore(closeAt);
            await().atMost(WRITTEN_MAX.plus(DRAWN_MAX))
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> state(activity).equals("DRAWN"));
            assertThat(lottery.get(activity.path("/pool"))
                            .json()
                            .path("entries")
                            .asInt())
                    .isEqualTo(ENTRIES);
            Duration took = said(activity);
            long peak = peak(lottery);
            System.out.printf("%d entries, %d winners: %s, peak %d MB%n", ENTRIES, WINNERS, took, peak);
            assertThat(took).isLessThan(Duration.ofMinutes(2));
            assertThat(peak).isLessThan(1_000);
        }
    }

    /** The entries of the pool whose lottery is killed; there are 25 pages of wins. */
    private static final int FEW = Math.min(ENTRIES, 20_000);

    private static final int FEW_WINNERS = 5_000;

    @Test
    @DisplayName("is drawn to its end, each place once, by a lottery that is killed at each step and between pages")
    void killed() throws Exception {
        LotteryProcess lottery = LotteryProcess.open(environment());
        try {
            Instant closeAt = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(20);
            TrialActivity activity = open(lottery, FEW_WINNERS, closeAt);
            write(activity, FEW);
            assertThat(Instant.now()).isBefore(closeAt);
            int kills = 0;
            for (String step : List.of("pool.entries-closed", "pool.frozen", "pool.ordered", "pool.page-drawn")) {
                await().atMost(DRAWN_MAX)
                        .pollInterval(Duration.ofMillis(5))
                        .until(() -> has(activity, step) || has(activity, "pool.drawn"));
                if (!has(activity, "pool.drawn")) {
                    kills++;
                    lottery.kill();
                    lottery = LotteryProcess.open(environment());
                }
            }
            TrialActivity again = activity.at(lottery);
            await().atMost(DRAWN_MAX).until(() -> state(again).equals("DRAWN"));
            System.out.printf("%d kills%n", kills);
            assertThat(count("SELECT count(*) FROM event WHERE type = 'award.won'"
                            + " AND (convert_from(payload, 'UTF8')::jsonb ->> 'activityId')::bigint = "
                            + activity.id()))
                    .isEqualTo(FEW_WINNERS);
            assertThat(count("SELECT count(DISTINCT win ->> 'place') FROM event, jsonb_array_elements("
                            + "convert_from(payload, 'UTF8')::jsonb -> 'wins') AS win WHERE aggregate_id = 'pool:"
                            + activity.id() + "' AND type = 'pool.page-drawn'"))
                    .isEqualTo(FEW_WINNERS);
            assertThat(StoredFacts.taken(activity, "award:%d/2")).isEqualTo(FEW_WINNERS - 10);
        } finally {
            lottery.close();
        }
    }

    private static boolean has(TrialActivity activity, String step) throws Exception {
        return count("SELECT count(*) FROM event WHERE aggregate_id = 'pool:%d' AND type = '%s'"
                        .formatted(activity.id(), step))
                > 0;
    }

    private static long count(String sql) throws Exception {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static Connection connect() throws Exception {
        return DriverManager.getConnection(
                Servers.property("lottery.postgres.url"),
                Servers.property("lottery.postgres.owner"),
                Servers.property("lottery.postgres.owner-password"));
    }

    private static Map<String, String> environment() throws Exception {
        Map<String, String> environment = Servers.environmentOfTrial();
        environment.put("LOTTERY_ROLES", "command,saga");
        environment.put("LOTTERY_FEED_ENABLED", "false");
        environment.put("JAVA_TOOL_OPTIONS", "-Xmx512m");
        return environment;
    }

    private static TrialActivity open(LotteryProcess lottery, int winners, Instant closeAt) {
        String awards = """
                "mode": "SINGLE", "awards": [
                  {"awardId": 1, "title": "Car", "type": "TEXT", "rate": "0.1", "sort": 1, "stock": 10},
                  {"awardId": 2, "title": "Cinema", "type": "TEXT", "rate": "0.1", "sort": 2, "stock": %d}]""".formatted(winners - 10);
        return TrialActivity.open(lottery, awards, """
                "free": {"total": 100, "month": 100, "day": 100},
                "draw": {"mode": "SCHEDULED", "drawAt": "%s", "entriesCloseAt": "%s", "reserves": 1000}""".formatted(closeAt.plusSeconds(1), closeAt));
    }

    private static String state(TrialActivity activity) {
        return activity.lottery()
                .get(activity.path("/pool"))
                .json()
                .path("state")
                .asString();
    }

    /** Writes the entries to the log and numbers them, as commits would, many at a time. */
    private static void write(TrialActivity activity, int entries) throws Exception {
        try (Connection connection = connect()) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                String series = "pool:" + activity.id();
                statement.execute("INSERT INTO series VALUES ('%s', %d, false)".formatted(series, entries));
                for (int from = 1; from <= entries; from += ROWS_PER_COPY) {
                    int to = Math.min(entries, from + ROWS_PER_COPY - 1);
                    long base = head(statement, to - from + 1);
                    StringBuilder events = new StringBuilder();
                    StringBuilder numbers = new StringBuilder();
                    for (int entryNo = from; entryNo <= to; entryNo++) {
                        append(activity, series, entryNo, base + entryNo - from + 1, events, numbers);
                    }
                    copy(connection, "event", events);
                    copy(connection, "series_number", numbers);
                    connection.commit();
                }
            }
        }
    }

    private static long head(Statement statement, int more) throws Exception {
        try (ResultSet head = statement.executeQuery(
                "UPDATE event_head SET position = position + %d RETURNING position - %d".formatted(more, more))) {
            head.next();
            return head.getLong(1);
        }
    }

    private static void append(
            TrialActivity activity,
            String series,
            int entryNo,
            long position,
            StringBuilder events,
            StringBuilder numbers) {
        UserId user = new UserId("user-" + entryNo % USERS);
        String order = RaffleRequestIdentity.of(new AccountId(new ActivityId(activity.id()), user), "entry-" + entryNo)
                .id()
                .text();
        String payload = """
                {"orderId":"%s","activityId":%d,"userId":"%s","day":"2026-11-26","enteredAt":"2026-11-26T00:00:00Z"}""".formatted(order, activity.id(), user.value());
        events.append(position)
                .append('\t')
                .append(UUID.randomUUID())
                .append("\t2026-11-26T00:00:00Z\t0\t")
                .append(order)
                .append("\torder\traffle.entered\t1\t\\\\x")
                .append(HexFormat.of().formatHex(payload.getBytes(UTF_8)))
                .append("\t\\\\x7b7d\n");
        numbers.append(series)
                .append('\t')
                .append(entryNo)
                .append('\t')
                .append(order)
                .append('\t')
                .append(position)
                .append('\n');
    }

    private static void copy(Connection connection, String table, StringBuilder rows) throws Exception {
        connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyIn(
                        "COPY " + table + " FROM STDIN",
                        new ByteArrayInputStream(rows.toString().getBytes(UTF_8)));
    }

    /** Returns the time from the close to the last win, and prints the steps. */
    private static Duration said(TrialActivity activity) throws Exception {
        List<Instant> times = new ArrayList<>();
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT type, at FROM event WHERE aggregate_id = 'pool:%d' AND type <> 'pool.page-drawn' ORDER BY sequence"
                                .formatted(activity.id()))) {
            while (rows.next()) {
                times.add(rows.getTimestamp(2).toInstant());
                System.out.printf("%s %s%n", rows.getString(1), times.getLast());
            }
        }
        return Duration.between(times.getFirst(), times.getLast());
    }

    /** Returns the most memory that the process has had, in MB. */
    private static long peak(LotteryProcess lottery) throws Exception {
        return Files.readAllLines(Path.of("/proc/" + lottery.number() + "/status")).stream()
                .filter(line -> line.startsWith("VmHWM"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1_024)
                .findFirst()
                .orElseThrow();
    }
}
