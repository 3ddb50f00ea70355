package lottery.bench;

import static lottery.bench.AccountEvents.EVE;
import static lottery.bench.AwardEvents.CINEMA;
import static lottery.bench.invariant.CheckMoment.AT_REST;
import static lottery.bench.invariant.CheckMoment.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import lottery.bench.invariant.CheckMoment;
import lottery.bench.invariant.InvariantVerdict;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The checker of several logs")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SeveralLogsTest extends CheckedHistory {

    private static final String CINEMAS = "award:100/102";

    /** The first position of log 01, less one. */
    private static final long LOG_01 = 1L << 46;

    /** Where log 01 is. */
    enum Place {
        SAME_DATABASE,
        OTHER_DATABASE
    }

    private final Map<Place, HistoryStore> logs = new EnumMap<>(Place.class);

    @BeforeAll
    void createLogs() throws SQLException, IOException {
        asSuperuser("CREATE DATABASE second OWNER " + database.user());
        for (Place place : Place.values()) {
            CheckedDatabase there = other(place);
            try (HistoryStore schemas = new HistoryStore(there)) {
                schemas.sql("CREATE SCHEMA log_01");
            }
            String schema = (there.url().contains("?") ? "&" : "?") + "currentSchema=log_01";
            HistoryStore log =
                    new HistoryStore(new CheckedDatabase(there.url() + schema, there.user(), there.password()));
            log.prepare();
            logs.put(place, log);
        }
    }

    @AfterAll
    void dropLogs() throws SQLException {
        for (HistoryStore log : logs.values()) {
            log.sql("DROP SCHEMA log_01 CASCADE");
            log.close();
        }
        asSuperuser("DROP DATABASE second");
    }

    private void asSuperuser(String sql) throws SQLException {
        try (HistoryStore superuser = new HistoryStore(new CheckedDatabase(database.url(), "postgres", ""))) {
            superuser.sql(sql);
        }
    }

    private CheckedDatabase other(Place place) {
        String url = place == Place.SAME_DATABASE
                ? database.url()
                : database.url().replaceFirst("/[^/?]+(\\?|$)", "/second$1");
        return new CheckedDatabase(url, database.user(), database.password());
    }

    private CheckedDatabase lottery(Place place) {
        return new CheckedDatabase(database.url(), database.user(), database.password(), List.of(other(place)));
    }

    /** Returns log 01, without any event and block. */
    private HistoryStore emptyLog(Place place) throws SQLException {
        HistoryStore log = Objects.requireNonNull(logs.get(place));
        log.clear();
        log.sql("DELETE FROM counter_block");
        history.sql("DELETE FROM counter_block");
        return log;
    }

    /** Lets Eve, whose log is log 01, win seats in the cinema. They come from a block of as many units. */
    private HistoryStore winsOfEve(Place place, int wins) throws SQLException {
        HistoryStore log = emptyLog(place);
        AccountEvents accountsThere = new AccountEvents(log);
        accountsThere.recharge(EVE, 0, "eve", wins, wins, wins);
        for (int win = 1; win <= wins; win++) {
            accountsThere.spend(EVE, win, "eve", "3e-" + win, "2026-11-30");
            new OrderEvents(log).draw("eve", "3e-" + win, "WON", CINEMA);
            new AwardEvents(log).win("eve", "3e-" + win, CINEMA);
        }
        history.count(CINEMAS, 1 + wins);
        log.count(CINEMAS, wins);
        block(history, 1, false, wins);
        block(log, 1, false, wins);
        return log;
    }

    private static void block(HistoryStore log, int number, boolean returned, int units) throws SQLException {
        log.sql("INSERT INTO counter_block (log, number, returned, counter, amount) VALUES (1, %d, %s, '%s', %d)"
                .formatted(number, returned, CINEMAS, units));
    }

    private Map<String, String> violated(Place place, CheckMoment moment) throws SQLException {
        return verdicts(place, moment).stream()
                .filter(verdict -> !verdict.holds())
                .collect(Collectors.toMap(CheckedHistory::title, InvariantVerdict::first));
    }

    private List<InvariantVerdict> verdicts(Place place, CheckMoment moment) throws SQLException {
        return InvariantChecker.check(lottery(place), moment, SILENT, events -> 3)
                .verdicts();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("A sound history in two logs holds, and the events of both are checked")
    void sound(Place place) throws SQLException {
        winsOfEve(place, 2);
        assertThat(violated(place, IN_FLIGHT)).isEmpty();
        assertThat(verdicts(place, IN_FLIGHT))
                .extracting(verdict -> title(verdict) + " " + verdict.checked())
                .contains("log 100", "I6 13", "I8 view_winner 9", "I8 view_figure 14", "blocks 4");
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("A check leaves nothing behind, so the next one comes to the same")
    void repeated(Place place) throws SQLException {
        winsOfEve(place, 1);
        assertThat(verdicts(place, IN_FLIGHT)).isEqualTo(verdicts(place, IN_FLIGHT));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("Units that are sold in two logs beyond the limit violate I1")
    void oversold(Place place) throws SQLException {
        winsOfEve(place, 3);
        assertThat(violated(place, IN_FLIGHT))
                .containsOnly(Map.entry("I1", "all logs have taken 4 of award:100/102, of 3"));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("A counter counts all logs, without the blocks that are out")
    void counted(Place place) throws SQLException {
        winsOfEve(place, 1).count(CINEMAS, 0);
        assertThat(violated(place, IN_FLIGHT))
                .containsOnly(Map.entry("I1", "counter award:100/102 has taken 1, the events make it 2"));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("A gap in one log, or a head ahead of its last event, is a violation")
    void gap(Place place) throws SQLException {
        HistoryStore log = winsOfEve(place, 1);
        log.sql("DELETE FROM event WHERE position = 3");
        assertThat(violated(place, IN_FLIGHT))
                .containsEntry("log", "event %d follows on event %d".formatted(LOG_01 + 4, LOG_01 + 2));
        log.clear();
        log.sql("UPDATE event_head SET position = 1");
        assertThat(violated(place, IN_FLIGHT))
                .containsEntry("log", "the head is %d, and the last event %d".formatted(LOG_01 + 1, LOG_01));
        new AccountEvents(log).freeChances(EVE, 0, "eve", 1, 1, 1);
        assertThat(violated(place, IN_FLIGHT))
                .containsEntry("log", "event %d follows on event 92".formatted(LOG_01 + 2));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("A block that was received and never sent is a violation")
    void receivedOnly(Place place) throws SQLException {
        HistoryStore log = winsOfEve(place, 2);
        log.sql("UPDATE counter_block SET amount = 3");
        assertThat(violated(place, IN_FLIGHT))
                .containsOnly(Map.entry(
                        "blocks",
                        "log 1 has received block 1 of log 1, 3 of award:100/102, and the other log has not sent it"));
        log.sql("UPDATE counter_block SET amount = 2");
        block(log, 2, false, 1);
        assertThat(violated(place, AT_REST))
                .containsEntry(
                        "blocks",
                        "log 1 has received block 2 of log 1, 1 of award:100/102, and the other log has not sent it");
        assertThat(violated(place, IN_FLIGHT).containsKey("blocks"))
                .as("the other database is read later, so the block may be new")
                .isEqualTo(place == Place.SAME_DATABASE);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("A block that was sent may wait for the next lease, in both directions")
    void sentOnly(Place place) throws SQLException {
        HistoryStore log = winsOfEve(place, 1);
        history.count(CINEMAS, 3);
        block(history, 2, false, 1);
        assertThat(violated(place, AT_REST)).doesNotContainKeys("blocks", "I1");
        block(log, 2, false, 1);
        block(log, 1, true, 1);
        assertThat(violated(place, AT_REST)).doesNotContainKeys("blocks", "I1");
        block(history, 1, true, 1);
        history.count(CINEMAS, 2);
        assertThat(violated(place, AT_REST)).doesNotContainKeys("blocks", "I1");
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("A log may take no more than its blocks, and the home log counts what is out")
    void limited(Place place) throws SQLException {
        HistoryStore log = winsOfEve(place, 1);
        log.sql("UPDATE counter SET total = 2");
        assertThat(violated(place, IN_FLIGHT))
                .containsOnly(Map.entry("blocks", "log 1 may take 2 of award:100/102, and its blocks have 1"));
        log.sql("UPDATE counter SET total = 1");
        history.count(CINEMAS, 0);
        assertThat(violated(place, IN_FLIGHT))
                .containsEntry("blocks", "counter award:100/102 has taken 0 in the home log, and 1 of it are out");
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("A user whose events are in two logs, or a claim that is, is a violation")
    void twice(Place place) throws SQLException {
        HistoryStore log = winsOfEve(place, 1);
        accounts.freeChances("account:3e:200:eve", 0, "eve", 1, 1, 1);
        history.claim("x", "1", "a");
        log.claim("x", "1", "b");
        assertThat(violated(place, IN_FLIGHT))
                .containsEntry("claims", "1 of x belongs to a and to b")
                .containsEntry(
                        "homes",
                        "event %d, account.recharged, is about eve of shard 3e in log 1, and others of this shard are in log 0"
                                .formatted(LOG_01 + 1));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("A row of a read model is compared with the events of its own log")
    void readModels(Place place) throws SQLException {
        winsOfEve(place, 1).sql("UPDATE view_odds SET won = 7 WHERE award_id = 101");
        assertThat(violated(place, IN_FLIGHT))
                .containsOnly(Map.entry(
                        "I8 view_odds", "view_odds has won 7 for 100/7/1/101 in log 1, the events make it 0"));
    }

    @Test
    @DisplayName("A definition that is changed later may be in force for an event of another log, and not at home")
    void changedLater() throws SQLException {
        HistoryStore log = winsOfEve(Place.SAME_DATABASE, 1);
        history.event("activity:100", 4, "activity.edited", """
                {"activityId":100,"definition":{"name":"Spring","beginsAt":"2026-11-21T04:00:00Z","endsAt":"2027-11-22T04:00:00Z",\
                "zone":"Asia/Shanghai","strategyId":7,"participationsMax":9,\
                "skus":[{"sku":9001,"bundle":{"total":2,"month":2,"day":2},"stock":9,"priceCredits":"5"}]}}""");
        assertThat(violated(Place.SAME_DATABASE, IN_FLIGHT)).isEmpty();
        new AccountEvents(log).recharge(EVE, 2, "eve", 1, 1, 1);
        assertThat(violated(Place.SAME_DATABASE, IN_FLIGHT)).isEmpty();
        accounts.recharge(AccountEvents.ANN, 3, "ann", 1, 1, 1);
        assertThat(violated(Place.SAME_DATABASE, IN_FLIGHT)).containsOnlyKeys("I1", "credits");
    }

    @Test
    @DisplayName("Readers of facts get all logs as one, until their connection ends")
    void united() throws SQLException {
        winsOfEve(Place.SAME_DATABASE, 1);
        CheckedDatabase lottery = database.withLogs(2);
        try (Connection connection = lottery.connect();
                Statement statement = connection.createStatement()) {
            UnitedLogs.create(connection, lottery, List.of("event_readable", "counter", "counter_block", "no_table"));
            try (ResultSet row = statement.executeQuery("""
                    SELECT count(*), count(DISTINCT position), max(in_log),
                           (SELECT taken || ' of ' || total FROM counter WHERE name = 'award:100/102')
                    FROM event_readable""")) {
                row.next();
                assertThat(List.of(row.getInt(1), row.getInt(2), row.getInt(3))).containsExactly(97, 97, 1);
                assertThat(row.getString(4)).isEqualTo("2 of 3");
            }
        }
    }

    @Test
    @DisplayName("The settings of the logs are those of the lottery")
    void settings() {
        Map<String, String> environment = new HashMap<>(Map.of(
                "LOTTERY_POSTGRES_URL", "jdbc:a",
                "LOTTERY_POSTGRES_USER", "ann",
                "LOTTERY_POSTGRES_PASSWORD", "one",
                "LOTTERY_LOGS", "3",
                "LOTTERY_LOG_02_URL", "jdbc:b",
                "LOTTERY_LOG_02_PASSWORD", "two"));
        CheckedDatabase lottery = CheckedDatabase.of(new HashMap<>(), environment);
        assertThat(lottery.others())
                .containsExactly(
                        new CheckedDatabase("jdbc:a", "ann", "one"), new CheckedDatabase("jdbc:b", "ann", "two"));
        assertThat(lottery).hasToString("ann at jdbc:a, with 2 other logs");
        assertThat(CheckedDatabase.of(new HashMap<>(Map.of("logs", "1")), environment)
                        .others())
                .isEmpty();
        assertThatThrownBy(() -> CheckedDatabase.of(new HashMap<>(Map.of("logs", "65")), environment))
                .hasMessage("The number of logs is from 1 to 64, and not 65.");
    }
}
