package lottery.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static lottery.bench.invariant.Moment.AT_REST;
import static lottery.bench.invariant.Moment.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import lottery.bench.invariant.Moment;
import lottery.bench.invariant.Verdict;
import lottery.embedded.EmbeddedServer;
import lottery.embedded.EmbeddedServers;
import lottery.embedded.EmbeddedSettings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The checker")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CheckerTest {

    private static final Path APPROVED_EVENTS = Path.of("../shared-api/src/test/resources/events");

    private EmbeddedServers servers;
    private Database database;
    private Story story;

    @BeforeAll
    void start() throws Exception {
        servers = EmbeddedServers.start(
                EmbeddedSettings.forTests(Path.of("target/checker-servers"), EmbeddedServer.POSTGRES));
        database = new Database(
                setting("lottery.postgres.url"),
                setting("lottery.postgres.user"),
                setting("lottery.postgres.password"));
        story = new Story(database);
        story.prepare();
    }

    private String setting(String name) {
        return Objects.requireNonNull(servers.properties().get(name), name);
    }

    @AfterAll
    void stop() {
        servers.close();
    }

    @BeforeEach
    void tellSound() throws SQLException {
        story.forget();
        story.tellSound();
    }

    /** What is violated, and how it is said. */
    private Map<String, String> violated(Moment moment) throws SQLException {
        return Checker.check(database, moment).verdicts().stream()
                .filter(verdict -> !verdict.holds())
                .collect(Collectors.toMap(CheckerTest::title, Verdict::first));
    }

    /** Several verdicts are called I8, one for each table. */
    private static String title(Verdict verdict) {
        return verdict.name().equals("I8")
                ? "I8 " + verdict.promise().substring(0, verdict.promise().indexOf(' '))
                : verdict.name();
    }

    private Verdict verdict(String title, Moment moment) throws SQLException {
        return Checker.check(database, moment).verdicts().stream()
                .filter(verdict -> title(verdict).equals(title))
                .findFirst()
                .orElseThrow();
    }

    @Nested
    @DisplayName("finds that a sound history")
    class ASoundHistory {

        @ParameterizedTest
        @ValueSource(strings = {"AT_REST", "IN_FLIGHT"})
        @DisplayName("holds in everything")
        void holdsInEverything(Moment moment) throws SQLException {
            Report report = Checker.check(database, moment);
            assertThat(report.isSound()).as(report.table()).isTrue();
            assertThat(report.table()).endsWith("All invariants hold.");
        }

        @Test
        @DisplayName("is checked fact by fact")
        void isCheckedFactByFact() throws SQLException {
            assertThat(Checker.check(database, AT_REST).verdicts())
                    .extracting(verdict -> title(verdict) + " " + verdict.checked())
                    .containsExactly(
                            "names 23",
                            "log 23",
                            "order 23",
                            "I3 4",
                            "I5 4",
                            "I6 3",
                            "I7 12",
                            "I1 1",
                            "I8 view_account 2",
                            "I8 view_win 3",
                            "I8 view_win_step 8",
                            "I8 view_activity 1",
                            "I8 view_award 2");
        }

        @Test
        @DisplayName("is the same for the next reader")
        void changesNothingForTheNextReader() throws SQLException {
            assertThat(Checker.check(database, AT_REST)).isEqualTo(Checker.check(database, AT_REST));
        }
    }

    @Nested
    @DisplayName("that every event is known and readable: is")
    class Names {

        @Test
        @DisplayName("kept by every approved event")
        void knowsEveryApprovedEvent() throws Exception {
            story.forget();
            List<Path> documents;
            try (Stream<Path> files = Files.list(APPROVED_EVENTS)) {
                documents = files.sorted().toList();
            }
            for (Path document : documents) {
                String name = document.getFileName().toString().replaceFirst("\\.v\\d+\\.json$", "");
                story.event(name, 0, name, Files.readString(document).strip());
            }
            Verdict names = verdict("names", IN_FLIGHT);
            assertThat(names.first()).isEmpty();
            assertThat(names.checked()).isEqualTo(documents.size()).isPositive();
        }

        @Test
        @DisplayName("violated by an event that is not known")
        void violatedByAnEventThatIsNotKnown() throws SQLException {
            story.event("coupon:1", 0, "coupon.torn", "{}");
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry("names", "event 24, coupon.torn, is not known to the checker"));
        }

        @Test
        @DisplayName("violated by a payload that is not JSON")
        void violatedByAPayloadThatIsNotJson() throws SQLException {
            story.event("recharge:1", 0, "recharge.completed", "<recharge/>");
            assertThat(violated(AT_REST))
                    .containsOnly(
                            Map.entry("names", "event 24, recharge.completed, has a payload that is no JSON object"));
        }

        @Test
        @DisplayName("violated by a field that is missing")
        void violatedByAFieldThatIsMissing() throws SQLException {
            story.event(Story.ANN, 3, "account.recharged", """
                    {"activityId":100,"userId":"ann","bundle":{"total":1,"month":"many"}}""");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(
                            Map.entry("names", "event 24, account.recharged, has no whole number in bundle.month"));
        }
    }

    @Nested
    @DisplayName("that streams have no holes: is")
    class Order {

        @Test
        @DisplayName("violated by a hole")
        void violatedByAHole() throws SQLException {
            story.recharge(Story.ANN, 4, "ann", 1, 1, 1);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("order", "account:0e:100:ann goes on with 4 at event 24, where 3 was due"));
        }

        @Test
        @DisplayName("violated by a stream without a beginning")
        void violatedByAStreamWithoutABeginning() throws SQLException {
            story.event("recharge:1", 1, "recharge.completed", "{}");
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry("order", "recharge:1 goes on with 1 at event 24, where 0 was due"));
        }
    }

    @Nested
    @DisplayName("that the log has no holes: is")
    class Log {

        @Test
        @DisplayName("violated by a position that was given and not written")
        void violatedByAHole() throws SQLException {
            story.sql("UPDATE event_head SET position = position + 1");
            story.recharge(Story.ANN, 3, "ann", 1, 1, 1);
            assertThat(violated(IN_FLIGHT)).contains(Map.entry("log", "event 25 follows on event 23"));
        }
    }

    @Nested
    @DisplayName("I3, one order, one outcome: is")
    class OneOrderOneOutcome {

        @Test
        @DisplayName("violated by a second draw")
        void violatedByASecondDraw() throws SQLException {
            story.draw("order:0e-2", 1, "ann", "0e-2", "NOTHING", 0);
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry("I3", "order:0e-2 is drawn at event 14 and again at event 24"));
        }

        @Test
        @DisplayName("violated by a draw in another order's stream")
        void violatedByADrawInAnotherOrdersStream() throws SQLException {
            story.recharge(Story.ANN, 3, "ann", 1, 1, 1);
            story.spend(Story.ANN, 4, "ann", "0e-3", "2026-11-30");
            story.draw("order:0e-2", 1, "ann", "0e-3", "NOTHING", 0);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("I3", "order:0e-3 is drawn at event 26 in the stream of order:0e-2"));
        }

        @Test
        @DisplayName("violated by an order that begins otherwise")
        void violatedByAnOrderThatBeginsOtherwise() throws SQLException {
            story.event("order:0e-3", 0, "recharge.completed", "{}");
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry(
                            "I3", "order:0e-3 begins with recharge.completed at event 24, not with its draw"));
        }

        @Test
        @DisplayName("violated by a chance without an outcome")
        void violatedByAChanceWithoutAnOutcome() throws SQLException {
            story.recharge(Story.ANN, 3, "ann", 1, 1, 1);
            story.spend(Story.ANN, 4, "ann", "0e-3", "2026-11-30");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("I3", "order:0e-3 costs a chance at event 25 and has no outcome"));
        }

        @Test
        @DisplayName("violated by two chances for one order")
        void violatedByTwoChancesForOneOrder() throws SQLException {
            story.recharge(Story.ANN, 3, "ann", 1, 1, 1);
            story.spend(Story.ANN, 4, "ann", "0e-2", "2026-11-30");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("I3", "order:0e-2 costs a chance at event 13 and another at event 25"));
        }
    }

    @Nested
    @DisplayName("I5, used ≤ granted: is")
    class UsedIsAtMostGranted {

        @Test
        @DisplayName("violated in total even if a recharge follows")
        void violatedInTotalEvenIfARechargeFollows() throws SQLException {
            story.spend(Story.BOB, 3, "bob", "21-3", "2027-01-01");
            story.draw("bob", "21-3", "NOTHING", 0);
            story.recharge(Story.BOB, 4, "bob", 5, 5, 5);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("I5", "account:21:100:bob has used 3 of 2 chances in total at event 24"));
        }

        @Test
        @DisplayName("violated in a month")
        void violatedInAMonth() throws SQLException {
            story.recharge(Story.BOB, 3, "bob", 1, 0, 0);
            story.spend(Story.BOB, 4, "bob", "21-3", "2026-12-02");
            story.draw("bob", "21-3", "NOTHING", 0);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry(
                            "I5", "account:21:100:bob has used 2 of 1 chances in the month of 2026-12-02 at event 25"));
        }

        @Test
        @DisplayName("violated on a day")
        void violatedOnADay() throws SQLException {
            story.recharge(Story.BOB, 3, "bob", 1, 1, 0);
            story.spend(Story.BOB, 4, "bob", "21-3", "2026-12-01");
            story.draw("bob", "21-3", "NOTHING", 0);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(
                            Map.entry("I5", "account:21:100:bob has used 2 of 1 chances on 2026-12-01 at event 25"));
        }

        /** Who remembers the last day only has forgotten by then what was used before it. */
        @Test
        @DisplayName("violated on a day that a clock has gone back to")
        void violatedOnADayThatAClockHasGoneBackTo() throws SQLException {
            story.recharge(Story.BOB, 3, "bob", 1, 1, 0);
            story.spend(Story.BOB, 4, "bob", "21-3", "2026-11-30");
            story.draw("bob", "21-3", "NOTHING", 0);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(
                            Map.entry("I5", "account:21:100:bob has used 2 of 1 chances on 2026-11-30 at event 25"));
        }
    }

    @Nested
    @DisplayName("I6, each win is answered once: is")
    class EachWinIsAnsweredOnce {

        @BeforeEach
        void annWinsAgain() throws SQLException {
            story.recharge(Story.ANN, 3, "ann", 1, 1, 1);
            story.spend(Story.ANN, 4, "ann", "0e-3", "2026-11-30");
            story.draw("ann", "0e-3", "WON", 101);
        }

        @Test
        @DisplayName("kept by a win in flight, which is counted")
        void countsWhatIsInFlight() throws SQLException {
            story.win("ann", "0e-3", 101);
            assertThat(verdict("I6", IN_FLIGHT).remark()).isEqualTo("1 in flight");
            assertThat(violated(IN_FLIGHT)).isEmpty();
        }

        @Test
        @DisplayName("violated at rest by a win without an answer")
        void violatedAtRestByAWinWithoutAnAnswer() throws SQLException {
            story.win("ann", "0e-3", 101);
            assertThat(violated(AT_REST))
                    .containsEntry("I6", "award:0e-3 is won at event 27 and neither granted nor rejected");
        }

        @Test
        @DisplayName("violated by a second grant")
        void violatedByASecondGrant() throws SQLException {
            story.win("ann", "0e-3", 101);
            story.answer("ann", "0e-3", 1, "award.granted", "");
            story.answer("ann", "0e-3", 2, "award.granted", "");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("I6", "award:0e-3 is granted at event 28 and granted at event 29"));
        }

        @Test
        @DisplayName("violated by a grant after a rejection")
        void violatedByAGrantAfterARejection() throws SQLException {
            story.win("ann", "0e-3", 101);
            story.answer("ann", "0e-3", 1, "award.grant-rejected", "");
            story.answer("ann", "0e-3", 2, "award.granted", "");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("I6", "award:0e-3 is rejected at event 28 and granted at event 29"));
        }

        @Test
        @DisplayName("violated by an award that was drawn and has vanished")
        void violatedByAnAwardThatWasDrawnAndHasVanished() throws SQLException {
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("I6", "order:0e-3 drew an award at event 26 that nobody won"));
        }
    }

    @Nested
    @DisplayName("I7, no win without a chance, no grant without a win: is")
    class NoWinWithoutAChanceNoGrantWithoutAWin {

        @Test
        @DisplayName("violated by a draw that cost nothing")
        void violatedByADrawThatCostNothing() throws SQLException {
            story.draw("ann", "0e-3", "WON", 101);
            story.win("ann", "0e-3", 101);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("I7", "order:0e-3 is drawn at event 24 and no chance was spent for it"));
        }

        @Test
        @DisplayName("violated by a draw at somebody else's cost")
        void violatedByADrawAtSomebodyElsesCost() throws SQLException {
            story.recharge(Story.BOB, 3, "bob", 1, 1, 1);
            story.spend(Story.BOB, 4, "bob", "0e-3", "2026-12-01");
            story.draw("ann", "0e-3", "NOTHING", 0);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry(
                            "I7", "order:0e-3 is drawn for 100/ann at event 26 and the chance is one of 100/bob"));
        }

        @Test
        @DisplayName("violated by a win that was not drawn")
        void violatedByAWinThatWasNotDrawn() throws SQLException {
            story.win("ann", "0e-3", 101);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("I7", "award:0e-3 is won at event 24 and nothing was drawn for it"));
        }

        @Test
        @DisplayName("violated by a win of what the draw did not give")
        void violatedByAWinOfWhatTheDrawDidNotGive() throws SQLException {
            story.win("ann", "0e-2", 102);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(
                            Map.entry(
                                    "I7",
                                    "award:0e-2 is won as award 102 by 100/ann at event 24 and its draw gave no award to 100/ann"));
        }

        @Test
        @DisplayName("violated by a win of somebody else")
        void violatedByAWinOfSomebodyElse() throws SQLException {
            story.recharge(Story.ANN, 3, "ann", 1, 1, 1);
            story.spend(Story.ANN, 4, "ann", "0e-3", "2026-11-30");
            story.draw("ann", "0e-3", "WON", 101);
            story.win("bob", "0e-3", 101);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(
                            Map.entry(
                                    "I7",
                                    "award:0e-3 is won as award 101 by 100/bob at event 27 and its draw gave award 101 to 100/ann"));
        }

        @Test
        @DisplayName("violated by a second win of one draw")
        void violatedByASecondWinOfOneDraw() throws SQLException {
            story.win(3, "ann", "0e-1", 101);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("I7", "award:0e-1 is won at event 10 and again at event 24"));
        }

        @ParameterizedTest
        @ValueSource(strings = {"award.dispatched", "award.granted", "award.grant-rejected"})
        @DisplayName("violated by what happens to an award that was not won")
        void violatedByWhatHappensToAnAwardThatWasNotWon(String name) throws SQLException {
            story.answer("ann", "0e-2", 0, name, "");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("I7", "award:0e-2 has " + name + " at event 24 and was not won before"));
        }
    }

    @Nested
    @DisplayName("I8, read models are the fold of the events: is")
    class ReadModelsAreTheFoldOfTheEvents {

        @ParameterizedTest
        @CsvSource({"total_count,2", "total_used,2", "month_count,2", "month_used,2", "day_count,1", "day_used,1"})
        @DisplayName("violated by a wrong count")
        void violatedByAWrongCount(String column, int right) throws SQLException {
            story.sql("UPDATE view_account SET %s = 9 WHERE user_id = 'ann'".formatted(column));
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry(
                            "I8 view_account",
                            "view_account has %s 9 for 100/ann, the events make it %d".formatted(column, right)));
        }

        @Test
        @DisplayName("violated by a wrong day")
        void violatedByAWrongDay() throws SQLException {
            story.sql("UPDATE view_account SET spent_on = NULL WHERE user_id = 'bob'");
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry(
                            "I8 view_account",
                            "view_account has spent_on nothing for 100/bob, the events make it 2026-12-01"));
        }

        @Test
        @DisplayName("violated by a wrong state")
        void violatedByAWrongState() throws SQLException {
            story.sql("UPDATE view_win SET state = 'DISPATCHED' WHERE award_record_id = 'award:21-1'");
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry(
                            "I8 view_win", "view_win has state DISPATCHED for award:21-1, the events make it GRANTED"));
        }

        @Test
        @DisplayName("violated by a wrong moment")
        void violatedByAWrongMoment() throws SQLException {
            story.sql(
                    "UPDATE view_win SET won_at = won_at + interval '1 microsecond' WHERE award_record_id = 'award:0e-1'");
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry(
                            "I8 view_win",
                            "view_win has won_at 2026-11-30T04:00:00.123458Z for award:0e-1,"
                                    + " the events make it 2026-11-30T04:00:00.123457Z"));
        }

        @Test
        @DisplayName("violated by a wrong step")
        void violatedByAWrongStep() throws SQLException {
            story.sql(
                    "UPDATE view_win_step SET state = 'GRANTED' WHERE award_record_id = 'award:21-2' AND sequence = 1");
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry(
                            "I8 view_win_step",
                            "view_win_step has state GRANTED for award:21-2#1, the events make it REJECTED"));
        }

        @Test
        @DisplayName("violated by a wrong activity")
        void violatedByAWrongActivity() throws SQLException {
            story.sql("UPDATE view_activity SET state = 'CLOSED'");
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry(
                            "I8 view_activity", "view_activity has state CLOSED for 100, the events make it DOING"));
        }

        @Test
        @DisplayName("violated by a wrong award")
        void violatedByAWrongAward() throws SQLException {
            story.sql("UPDATE view_award SET locked_until_draws = 0");
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry(
                            "I8 view_award", "view_award has locked_until_draws 0 for 7/102, the events make it 2"));
        }

        @Test
        @DisplayName("kept by the awards of the newest version, and violated by one of an older version")
        void newestVersion() throws SQLException {
            story.event("strategy:7", 1, "strategy.revised", """
                    {"strategyId":7,"version":2,"definition":{"awards":[\
                    {"awardId":102,"title":"Opera","type":"TEXT","rate":"0.1","sort":2,"lockedUntilDraws":0,"stock":5}]}}""");
            assertThat(violated(AT_REST)).containsOnlyKeys("I8 view_award");
            story.sql("""
                    DELETE FROM view_award;
                    INSERT INTO view_award VALUES (7, 102, 'Opera', NULL, 'TEXT', 2, 0, 2)""");
            assertThat(violated(AT_REST)).isEmpty();
            story.sql("INSERT INTO view_award VALUES (7, 101, 'Coffee', NULL, 'TEXT', 1, 0, 2)");
            assertThat(violated(AT_REST)).containsOnlyKeys("I8 view_award");
        }

        @Test
        @DisplayName("violated by a row that no event made")
        void violatedByARowThatNoEventMade() throws SQLException {
            story.sql("INSERT INTO view_account VALUES (100, 'zoe', 1, 0, 1, 0, 1, 0, NULL, 0, 1)");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry(
                            "I8 view_account",
                            "view_account has a row for 100/zoe up to event 0 of it, which does not exist"));
        }

        @Test
        @DisplayName("violated by a row that is ahead of the events")
        void violatedByARowThatIsAheadOfTheEvents() throws SQLException {
            story.sql("UPDATE view_account SET version = 7 WHERE user_id = 'ann'");
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry(
                            "I8 view_account",
                            "view_account has a row for 100/ann up to event 7 of it, which does not exist"));
        }

        @Test
        @DisplayName("violated at rest by a row that is missing")
        void violatedAtRestByARowThatIsMissing() throws SQLException {
            story.sql("DELETE FROM view_win WHERE award_record_id = 'award:21-2'");
            assertThat(violated(AT_REST)).containsOnly(Map.entry("I8 view_win", "view_win has no row for award:21-2"));
            assertThat(violated(IN_FLIGHT)).isEmpty();
            assertThat(verdict("I8 view_win", IN_FLIGHT).remark()).isEqualTo("1 rows behind");
        }

        @Test
        @DisplayName("violated at rest by a row that lags behind")
        void violatedAtRestByARowThatLagsBehind() throws SQLException {
            story.recharge(Story.ANN, 3, "ann", 1, 1, 1);
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry(
                            "I8 view_account", "view_account has seen events up to 2 of 100/ann, which goes on to 3"));
            assertThat(violated(IN_FLIGHT)).isEmpty();
        }

        @Test
        @DisplayName("violated by a row that lags behind and is not what it has seen")
        void checksARowThatLagsBehindAgainstTheEventsItHasSeen() throws SQLException {
            story.recharge(Story.ANN, 3, "ann", 1, 1, 1);
            story.sql("UPDATE view_account SET total_count = 3 WHERE user_id = 'ann'");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry(
                            "I8 view_account", "view_account has total_count 3 for 100/ann, the events make it 2"));
        }
    }

    @Nested
    @DisplayName("as a program")
    class TheProgram {

        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        private int run(Map<String, String> environment, String... arguments) {
            return Checker.run(arguments, environment, new PrintStream(out, true, UTF_8));
        }

        private Map<String, String> environment() {
            return Map.of(
                    "LOTTERY_POSTGRES_URL", database.url(),
                    "LOTTERY_POSTGRES_USER", database.user(),
                    "LOTTERY_POSTGRES_PASSWORD", database.password());
        }

        @Test
        @DisplayName("ends with 0 if all holds")
        void endsWith0IfAllHolds() {
            assertThat(run(environment(), "--at-rest")).isZero();
            assertThat(out.toString(UTF_8)).contains("I3 ", "All invariants hold.");
        }

        @Test
        @DisplayName("ends with 1 and the first violation of each invariant")
        void endsWith1AndTheFirstViolationOfEachInvariant() throws SQLException {
            story.sql("UPDATE view_account SET day_used = 9");
            assertThat(run(environment())).isEqualTo(1);
            assertThat(out.toString(UTF_8))
                    .contains("first: view_account has day_used 9 for 100/ann, the events make it 1")
                    .contains("NOT ALL INVARIANTS HOLD.");
        }

        @Test
        @DisplayName("believes an argument more than the environment")
        void believesAnArgumentMoreThanTheEnvironment() {
            assertThat(run(
                            Map.of(
                                    "LOTTERY_POSTGRES_URL",
                                    "jdbc:postgresql://localhost:1/none",
                                    "LOTTERY_POSTGRES_USER",
                                    database.user()),
                            "--url=" + database.url(),
                            "--password=" + database.password()))
                    .isZero();
        }

        @Test
        @DisplayName("ends with 2 and says what is missing")
        void endsWith2AndSaysWhatIsMissing() {
            assertThat(run(Map.of())).isEqualTo(2);
            assertThat(out.toString(UTF_8)).startsWith("Neither --url nor LOTTERY_POSTGRES_URL is given.");
        }

        @Test
        @DisplayName("ends with 2 if it does not understand")
        void endsWith2IfItDoesNotUnderstand() {
            assertThat(run(environment(), "--at-reest")).isEqualTo(2);
            assertThat(run(environment(), "--speed=high")).isEqualTo(2);
            assertThat(out.toString(UTF_8)).contains("Not understood: --at-reest", "Not understood: --speed");
        }

        @Test
        @DisplayName("ends with 2 if nobody answers")
        void endsWith2IfNobodyAnswers() {
            assertThat(run(environment(), "--url=jdbc:postgresql://localhost:1/none"))
                    .isEqualTo(2);
            assertThat(out.toString(UTF_8)).startsWith("The database could not be read: ");
        }

        @Test
        @DisplayName("never says the password")
        void neverSaysThePassword() {
            assertThat(new Database("jdbc:postgresql://db/lottery?password=secret", "lottery", "secret").toString())
                    .isEqualTo("lottery at jdbc:postgresql://db/lottery");
        }
    }

    @Nested
    @DisplayName("I1, no more is won than there is: is")
    class Stock {

        @Test
        @DisplayName("violated by a slot beyond the stock")
        void violatedByASlotBeyondTheStock() throws SQLException {
            story.sql("UPDATE claim SET key = '4'");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("I1", "order:21-2 has slot 4 of stock:100/102, of which there are 3"));
        }

        @Test
        @DisplayName("violated by a limited award without a slot")
        void violatedByALimitedAwardWithoutASlot() throws SQLException {
            story.sql("DELETE FROM claim");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("I1", "order:21-2 won award 102 at event 21 and has no slot of it"));
        }

        @Test
        @DisplayName("violated by a slot of who won something else")
        void violatedByASlotOfWhoWonSomethingElse() throws SQLException {
            story.sql("INSERT INTO claim VALUES ('stock:100/102', '1', 'order:0e-1', 8)");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(
                            Map.entry("I1", "slot 1 of stock:100/102 belongs to order:0e-1, which did not win it"));
        }
    }
}
