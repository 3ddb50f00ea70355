package lottery.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static lottery.bench.invariant.CheckMoment.AT_REST;
import static lottery.bench.invariant.CheckMoment.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import lottery.bench.invariant.CheckMoment;
import lottery.bench.invariant.InvariantVerdict;
import lottery.bench.invariant.Invariants.Progress;
import lottery.embedded.EmbeddedServer;
import lottery.embedded.EmbeddedServers;
import lottery.embedded.EmbeddedSettings;
import org.jspecify.annotations.Nullable;
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

@DisplayName("The invariant checker")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InvariantCheckerTest {

    private static final Path APPROVED_EVENTS = Path.of("../shared-api/src/test/resources/events");

    private static final Progress SILENT = (number, of, events) -> {};

    private EmbeddedServers servers;
    private CheckedDatabase database;
    private Story story;

    @BeforeAll
    void start() throws Exception {
        servers = EmbeddedServers.start(EmbeddedSettings.forTests(
                Path.of(System.getProperty("lottery.servers", "target/servers")), EmbeddedServer.POSTGRES));
        database = new CheckedDatabase(
                setting("lottery.postgres.url"),
                setting("lottery.postgres.owner"),
                setting("lottery.postgres.owner-password"));
        story = new Story(database);
        story.prepare();
    }

    private String setting(String name) {
        return Objects.requireNonNull(servers.properties().get(name), name);
    }

    @AfterAll
    void stop() throws SQLException {
        story.close();
        servers.close();
    }

    @BeforeEach
    void tellSound() throws SQLException {
        story.forget();
        story.tellSound();
    }

    /**
     * Checks the users together and in shares, which has to come to the same. Only the words may differ, since an award
     * of a user in another share seems to belong to nobody.
     */
    private CheckReport check(CheckMoment moment) throws SQLException {
        CheckReport together = InvariantChecker.check(database, moment);
        CheckReport inShares = InvariantChecker.check(database, moment, SILENT, events -> 3);
        assertThat(inShares.verdicts().stream().map(InvariantCheckerTest::withoutWords))
                .containsExactlyElementsOf(together.verdicts().stream()
                        .map(InvariantCheckerTest::withoutWords)
                        .toList());
        return together;
    }

    private static InvariantVerdict withoutWords(InvariantVerdict verdict) {
        return new InvariantVerdict(
                verdict.name(), verdict.promise(), verdict.checked(), verdict.violated(), "", verdict.noted());
    }

    /** Returns the violated invariants, each with its first violation in words. */
    private Map<String, String> violated(CheckMoment moment) throws SQLException {
        return check(moment).verdicts().stream()
                .filter(verdict -> !verdict.holds())
                .collect(Collectors.toMap(InvariantCheckerTest::title, InvariantVerdict::first));
    }

    /** Returns the title of a verdict, because several are called I8, one for each table. */
    private static String title(InvariantVerdict verdict) {
        return verdict.name().equals("I8")
                ? "I8 " + verdict.promise().substring(0, verdict.promise().indexOf(' '))
                : verdict.name();
    }

    private InvariantVerdict verdict(String title, CheckMoment moment) throws SQLException {
        return check(moment).verdicts().stream()
                .filter(verdict -> title(verdict).equals(title))
                .findFirst()
                .orElseThrow();
    }

    @Nested
    @DisplayName("A sound history")
    class ASoundHistory {

        @ParameterizedTest
        @ValueSource(strings = {"AT_REST", "IN_FLIGHT"})
        @DisplayName("A sound history holds in all invariants")
        void holdsInEverything(CheckMoment moment) throws SQLException {
            CheckReport report = check(moment);
            assertThat(report.isSound()).as(report.table()).isTrue();
            assertThat(report.table()).endsWith("All invariants hold.");
        }

        @Test
        @DisplayName("A sound history is checked fact by fact")
        void isCheckedFactByFact() throws SQLException {
            assertThat(check(AT_REST).verdicts())
                    .extracting(verdict -> title(verdict) + " " + verdict.checked())
                    .containsExactly(
                            "names 92",
                            "log 92",
                            "claims 16",
                            "order 92",
                            "homes 85",
                            "I3 14",
                            "I5 15",
                            "once 5",
                            "limits 0",
                            "sku-limits 0",
                            "I6 11",
                            "I7 47",
                            "I1 16",
                            "credits 0",
                            "rebates 0",
                            "sign-ins 0",
                            "I8 view_account 4",
                            "I8 view_win 11",
                            "I8 view_credit_entry 0",
                            "I8 view_sign_in 0",
                            "I8 view_unit 6",
                            "I8 view_recharge 6",
                            "commitments 1",
                            "I8 view_activity 3",
                            "I8 view_award 3",
                            "I8 view_audit 1",
                            "I8 view_winner 7",
                            "I8 view_odds 12",
                            "I8 view_figure 12",
                            "I8 view_stock 4",
                            "pools 0");
        }

        @Test
        @DisplayName("A check changes nothing for the next one")
        void changesNothingForTheNextReader() throws SQLException {
            assertThat(check(AT_REST)).isEqualTo(check(AT_REST));
        }
    }

    @Nested
    @DisplayName("Shares of users")
    class Divides {

        @Test
        @DisplayName("A history too long for the memory is divided into shares, at most as many as there are shards")
        void byLength() {
            long memory = Runtime.getRuntime().maxMemory();
            assertThat(LongStream.of(0, 1, memory / 5_000, memory / 3_000, memory / 1_100, memory / 110, Long.MAX_VALUE)
                            .mapToInt(InvariantChecker::shares))
                    .as("of 64 shards, the largest of 33 shares has two")
                    .containsExactly(1, 1, 1, 2, 4, 64, 64);
        }

        @Test
        @DisplayName("The checker says how far it is")
        void saysHowFarItIs() throws SQLException {
            List<String> said = new ArrayList<>();
            InvariantChecker.check(
                    database, AT_REST, (number, of, events) -> said.add(number + "/" + of + " " + events), all -> 3);
            assertThat(said).hasSize(4).first().asString().startsWith("1/4 ");
        }
    }

    @Nested
    @DisplayName("Commitments: each round is bound to its seed and its versions of the strategy")
    class Commitments {

        private static final String FIRST = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
        private static final String SECOND = "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752";

        /** The values by another program, for a seed of zeros. */
        private static final String BOUND_TO_FIRST = "8b50a4f090c9531119f3ccbf8b4136f5e6ddf6181d6494b1f10342106f12059a";

        private static final String BOUND_TO_SECOND =
                "26130748c788452b418b6c1a3e7030e496e21a87b6d69fb71e3abc6e9a825092";

        private static final String SEED = "00".repeat(32);

        private void told(String first, String second, String seed) throws SQLException {
            story.event("activity:300", 1, "activity.passed", """
                    {"activityId":300,"strategyVersion":1,"strategyHash":"%s"}""".formatted(FIRST));
            story.event("activity:300", 2, "activity.started", """
                    {"activityId":300,"round":1,"sealedSeed":"k1:AAEC",\
                    "commitment":"66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"%s}""".formatted(field(first)));
            story.event("activity:300", 3, "activity.strategy-adopted", """
                    {"activityId":300,"strategyVersion":2,"strategyHash":"%s"%s}""".formatted(SECOND, field(second)));
            story.event("activity:300", 4, "activity.closed", "{\"activityId\":300}");
            story.event("activity:300", 5, "activity.seed-published", """
                    {"activityId":300,"round":1,"seed":"%s"}""".formatted(seed));
        }

        private static String field(String roundCommitment) {
            return roundCommitment.isEmpty() ? "" : ",\"roundCommitment\":\"" + roundCommitment + "\"";
        }

        @Test
        @DisplayName("A start, an adoption and a seed that fit together hold, and so does what the activity shows")
        void holds() throws SQLException {
            told(BOUND_TO_FIRST, BOUND_TO_SECOND, SEED);
            story.sql("""
                    UPDATE view_activity SET version = 5, state = 'CLOSED', strategy_version = 2, strategy_hash = '%s',
                        rounds = '[{"round": 1, "commitment": "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925", "seed": "%s", "strategies": [
                            {"strategyVersion": 1, "strategyHash": "%s", "roundCommitment": "%s"},
                            {"strategyVersion": 2, "strategyHash": "%s", "roundCommitment": "%s"}]}]'
                    WHERE activity_id = 300""".formatted(SECOND, SEED, FIRST, BOUND_TO_FIRST, SECOND, BOUND_TO_SECOND));
            CheckReport report = check(IN_FLIGHT);
            assertThat(report.isSound()).as(report.table()).isTrue();
        }

        @Test
        @DisplayName("A start or an adoption without its commitment, or with another one, is a violation")
        void violated() throws SQLException {
            told("", BOUND_TO_FIRST, "11".repeat(32));
            assertThat(check(IN_FLIGHT).verdicts())
                    .filteredOn(verdict -> verdict.name().equals("commitments"))
                    .singleElement()
                    .satisfies(verdict -> {
                        assertThat(verdict.violated()).isEqualTo(3);
                        assertThat(verdict.first())
                                .startsWith("activity:300 commits at event ")
                                .endsWith("to null, where " + BOUND_TO_FIRST + " was due");
                    });
        }
    }

    @Nested
    @DisplayName("Names: every event is known and readable")
    class Names {

        @Test
        @DisplayName("An unknown event is a violation, in whichever stream it is")
        void inAnyStream() throws SQLException {
            for (String stream : List.of("order:zz-1", "award:", "account", ":", "3e", "unheard:17:of")) {
                story.forget();
                story.event(stream, 0, "unheard.of", "{}");
                assertThat(violated(IN_FLIGHT))
                        .containsEntry("names", "event 1, unheard.of, is not known to the checker");
                assertThat(verdict("names", IN_FLIGHT).checked()).isOne();
                assertThat(verdict("order", IN_FLIGHT).checked()).isOne();
            }
        }

        @Test
        @DisplayName("Every approved event is known to the checker")
        void knowsEveryApprovedEvent() throws Exception {
            story.forget();
            List<Path> documents;
            try (Stream<Path> files = Files.list(APPROVED_EVENTS)) {
                documents = files.sorted().toList();
            }
            for (Path document : documents) {
                String revision = document.getFileName().toString().replaceFirst("\\.json$", "");
                String name = revision.replaceFirst("\\.v\\d+$", "");
                story.event(revision, 0, name, Files.readString(document).strip());
            }
            InvariantVerdict names =
                    InvariantChecker.check(database, IN_FLIGHT).verdicts().getFirst();
            assertThat(names.first()).isEmpty();
            assertThat(names.checked()).isEqualTo(documents.size()).isPositive();
        }

        @Test
        @DisplayName("An unknown event violates no other invariant")
        void violatedByAnEventThatIsNotKnown() throws SQLException {
            story.event("coupon:1", 0, "coupon.torn", "{}");
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry("names", "event 93, coupon.torn, is not known to the checker"));
        }

        @Test
        @DisplayName("A payload that is not JSON is a violation")
        void violatedByAPayloadThatIsNotJson() throws SQLException {
            story.event("tree:1", 0, "tree.defined", "<tree/>");
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry("names", "event 93, tree.defined, has a payload that is no JSON object"));
        }

        @Test
        @DisplayName("A field that is missing or of another kind is a violation")
        void violatedByAFieldThatIsMissing() throws SQLException {
            story.event(Story.ANN, 3, "account.recharged", """
                    {"activityId":100,"userId":"ann","bundle":{"total":1,"month":"many"}}""");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(
                            Map.entry("names", "event 93, account.recharged, has no whole number in bundle.month"));
        }
    }

    @Nested
    @DisplayName("Order: streams have no holes")
    class Order {

        @Test
        @DisplayName("A hole in a stream is a violation")
        void violatedByAHole() throws SQLException {
            story.recharge(Story.ANN, 4, "ann", 1, 1, 1);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("order", "account:33:100:ann goes on with 4 at event 93, where 3 was due"));
        }

        @Test
        @DisplayName("A stream without a beginning is a violation")
        void violatedByAStreamWithoutABeginning() throws SQLException {
            story.event("tree:1", 1, "tree.defined", "{}");
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry("order", "tree:1 goes on with 1 at event 93, where 0 was due"));
        }
    }

    @Nested
    @DisplayName("Log: positions have no holes")
    class Log {

        @Test
        @DisplayName("A position that was given and not written is a violation")
        void violatedByAHole() throws SQLException {
            story.sql("UPDATE event_head SET position = position + 1");
            story.recharge(Story.ANN, 3, "ann", 1, 1, 1);
            assertThat(violated(IN_FLIGHT)).contains(Map.entry("log", "event 94 follows on event 92"));
        }

        @Test
        @DisplayName("A head that is ahead of the last event is a violation")
        void lostTail() throws SQLException {
            story.sql("UPDATE event_head SET position = position + 1");
            assertThat(violated(IN_FLIGHT)).containsOnly(Map.entry("log", "the head is 93, and the last event 92"));
        }
    }

    @Nested
    @DisplayName("Homes: what happens to a user is in a stream of that user")
    class Homes {

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                account:00:100:ann | account.recharged | "activityId":100,"userId":"ann","rechargeId":"recharge:33-8","bundle":{"total":1,"month":1,"day":1}
                account:33:200:ann | account.recharged | "activityId":100,"userId":"ann","rechargeId":"recharge:33-8","bundle":{"total":1,"month":1,"day":1}
                credit:00:ann | credit.booked | "userId":"ann","entry":1,"amount":"1","balance":"1","businessNo":"b","bookedAt":"2026-11-30T04:00:00Z"
                order:00-8 | raffle.order-cancelled | "orderId":"order:00-8","userId":"ann","cancelledAt":"2026-11-30T04:00:00Z"
                recharge:00-8 | recharge.closed | "rechargeId":"recharge:00-8","userId":"ann"
                award:00-8 | award.released | "awardRecordId":"award:00-8","userId":"ann"
                award:33-1 | award.released | "awardRecordId":"award:33-2","userId":"ann"
                """)
        @DisplayName("An event of a user in another stream is a violation")
        void elsewhere(String stream, String name, String payload) throws SQLException {
            story.event(stream, 70, name, "{" + payload + "}");
            assertThat(violated(IN_FLIGHT))
                    .containsEntry(
                            "homes",
                            "event 93, %s, is about ann of shard 33, and in the stream %s".formatted(name, stream));
        }
    }

    @Nested
    @DisplayName("I3: one order, one outcome")
    class OneOrderOneOutcome {

        @Test
        @DisplayName("A request that was refused after it had waited is ended, and nothing else happens to it")
        void refused() throws SQLException {
            story.refuse("28-r", 0);
            assertThat(violated(IN_FLIGHT)).isEmpty();
            story.create("28-r", 1);
            assertThat(violated(IN_FLIGHT))
                    .containsEntry("I3", "order:28-r is refused at event 93 and is created at event 94");
        }

        @Test
        @DisplayName("A second draw of an order violates I3")
        void violatedByASecondDraw() throws SQLException {
            story.draw("order:33-2", 1, "ann", "33-2", "NOTHING", 0);
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry("I3", "order:33-2 is drawn at event 16 and again at event 93"));
        }

        @Test
        @DisplayName("A draw in another order's stream violates I3")
        void violatedByADrawInAnotherOrdersStream() throws SQLException {
            story.recharge(Story.ANN, 3, "ann", 1, 1, 1);
            story.spend(Story.ANN, 4, "ann", "33-3", "2026-11-30");
            story.draw("order:33-2", 1, "ann", "33-3", "NOTHING", 0);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(
                            Map.entry("I3", "order:33-3 has raffle.drawn at event 96 in the stream of order:33-2"));
        }

        @Test
        @DisplayName("An order that begins otherwise violates I3")
        void violatedByAnOrderThatBeginsOtherwise() throws SQLException {
            story.event("order:33-3", 0, "tree.defined", "{}");
            assertThat(violated(AT_REST))
                    .containsOnly(
                            Map.entry("I3", "order:33-3 begins with tree.defined at event 93, which begins no order"));
        }

        @Test
        @DisplayName("A chance without an outcome violates I3")
        void violatedByAChanceWithoutAnOutcome() throws SQLException {
            story.recharge(Story.ANN, 3, "ann", 1, 1, 1);
            story.spend(Story.ANN, 4, "ann", "33-3", "2026-11-30");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("I3", "order:33-3 costs a chance at event 95 and is not drawn"));
        }

        @Test
        @DisplayName("Two chances for one order violate I3")
        void violatedByTwoChancesForOneOrder() throws SQLException {
            story.recharge(Story.ANN, 3, "ann", 1, 1, 1);
            story.spend(Story.ANN, 4, "ann", "33-2", "2026-11-30");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("I3", "order:33-2 costs a chance at event 15 and again at event 95"));
        }
    }

    @Nested
    @DisplayName("I3: an order that stays open")
    class AnOpenOrder {

        private static final String TODAY = "2026-12-01";

        /**
         * Adds two events, and a participation. A test that needs more chances than there are has to add them before.
         */
        private void open(String key, long sequence, int slot) throws SQLException {
            story.open(sequence, key, TODAY, slot);
            story.create(key);
            story.claim("participations:200", slot, "order:" + key);
        }

        private void violatedOnly(String words) throws SQLException {
            assertThat(violated(IN_FLIGHT)).containsOnly(Map.entry("I3", words));
        }

        @Test
        @DisplayName("An order keeps I3 as long as it is open, and when it is drawn")
        void kept() throws SQLException {
            open("28-5", 8, 4);
            assertThat(violated(IN_FLIGHT)).isEmpty();
            story.use(9, "28-5", TODAY);
            story.drawOfCat(1, "28-5");
            assertThat(violated(IN_FLIGHT)).isEmpty();
        }

        @Test
        @DisplayName("An open order that is not created violates I3")
        void notCreated() throws SQLException {
            story.open(8, "28-5", TODAY, 4);
            story.claim("participations:200", 4, "order:28-5");
            violatedOnly("order:28-5 costs a chance at event 93 and is not created");
        }

        @Test
        @DisplayName("An open order that costs nothing violates I3")
        void free() throws SQLException {
            story.create("28-5");
            violatedOnly("order:28-5 is created at event 93 and costs no chance");
        }

        @Test
        @DisplayName("An order that is drawn and not used by its account violates I3")
        void drawnAndNotUsed() throws SQLException {
            open("28-5", 8, 4);
            story.drawOfCat(1, "28-5");
            violatedOnly("order:28-5 is drawn at event 95 and is not used");
        }

        @Test
        @DisplayName("An order that is used by its account and not drawn violates I3")
        void usedAndNotDrawn() throws SQLException {
            open("28-5", 8, 4);
            story.use(9, "28-5", TODAY);
            violatedOnly("order:28-5 is used at event 95 and is not drawn");
        }

        @Test
        @DisplayName("An order that is drawn in another commit than it is used violates I3")
        void usedInAnotherCommit() throws SQLException {
            open("28-5", 8, 4);
            story.use(9, "28-5", TODAY);
            story.recharge(Story.ANN, 3, "ann", 1, 1, 1);
            story.drawOfCat(1, "28-5");
            violatedOnly("order:28-5 is used at event 95 and is drawn at event 98, in another commit");
        }

        @Test
        @DisplayName("An order that is used and not open violates I3")
        void usedAndNotOpen() throws SQLException {
            story.use(8, "28-3", TODAY);
            violatedOnly("order:28-3 is used at event 93 and is not the open order of 200/cat");
        }

        @Test
        @DisplayName("A second open order of an account violates I3")
        void twoAtATime() throws SQLException {
            story.recharge(Story.CAT, 8, "cat", 1, 1, 1);
            open("28-5", 9, 4);
            open("28-6", 10, 5);
            violatedOnly("order:28-6 is opened at event 97 while order:28-5 is open");
        }

        @Test
        @DisplayName("An order that is drawn and cancelled violates I3")
        void drawnAndCancelled() throws SQLException {
            open("28-5", 8, 4);
            story.use(9, "28-5", TODAY);
            story.drawOfCat(1, "28-5");
            story.giveBack(10, "28-5", TODAY);
            story.cancel(2, "28-5");
            violatedOnly("order:28-5 is drawn at event 96 and cancelled at event 98");
        }

        @Test
        @DisplayName("An order that is cancelled without its chance coming back violates I3")
        void cancelledForNothing() throws SQLException {
            open("28-5", 8, 4);
            story.cancel(1, "28-5");
            violatedOnly("order:28-5 is cancelled at event 95 and gives no chance back");
        }

        @Test
        @DisplayName("An order that is not cancelled while its chance comes back violates I3")
        void returnedAndOpen() throws SQLException {
            open("28-5", 8, 4);
            story.giveBack(9, "28-5", TODAY);
            story.release("order:28-5");
            violatedOnly("order:28-5 gives its chance back at event 95 and is not cancelled");
        }

        @Test
        @DisplayName("A chance that comes back twice violates I3")
        void returnedTwice() throws SQLException {
            story.giveBack(8, "28-2", TODAY);
            violatedOnly("order:28-2 gives its chance back at event 85 and again at event 93");
        }

        @Test
        @DisplayName("A chance that comes back as one of another day violates I3")
        void returnedOfAnotherDay() throws SQLException {
            story.giveBack(8, "28-3", "2026-11-30");
            violatedOnly("order:28-3 gives a chance of 2026-11-30 back to 200/cat at event 93"
                    + " and had cost one of 2026-12-01 of 200/cat");
        }

        @Test
        @DisplayName("A chance that comes back and was never spent violates I3")
        void returnedForNothing() throws SQLException {
            story.giveBack(8, "28-9", TODAY);
            violatedOnly("order:28-9 gives a chance back at event 93 and had cost none");
        }

        @Test
        @DisplayName("An event in another order's stream violates I3")
        void otherStream() throws SQLException {
            story.event("order:28-2", 2, "raffle.order-cancelled", "{\"orderId\":\"order:28-1\",\"userId\":\"cat\"}");
            violatedOnly("order:28-1 has raffle.order-cancelled at event 93 in the stream of order:28-2");
        }
    }

    @Nested
    @DisplayName("I3: a chance that comes back after the draw")
    class AReturnedChance {

        private static final String TODAY = "2026-12-01";

        private void compensate() throws SQLException {
            story.answer("bob", "00-2", 3, "award.compensated", ",\"by\":\"RETURN_CHANCE\"");
            story.release("order:00-2");
        }

        private void violatedOnly(String words) throws SQLException {
            assertThat(violated(IN_FLIGHT)).containsOnly(Map.entry("I3", words));
        }

        @Test
        @DisplayName("A chance that makes good for the award of its order keeps I3")
        void kept() throws SQLException {
            compensate();
            story.giveBack(Story.BOB, 3, "bob", "00-2", TODAY);
            assertThat(violated(IN_FLIGHT)).isEmpty();
        }

        @Test
        @DisplayName("A chance that comes back after the draw and makes good for nothing violates I3")
        void forNothing() throws SQLException {
            story.giveBack(8, "28-3", TODAY);
            violatedOnly("order:28-3 gives its chance back at event 93"
                    + " and has no award that is made good for by the chance");
        }

        @Test
        @DisplayName("A chance that comes back for an award with another remedy violates I3")
        void madeGoodForOtherwise() throws SQLException {
            story.giveBack(Story.DAN, 9, "dan", "17-1", TODAY);
            violatedOnly("order:17-1 gives its chance back at event 93"
                    + " and has no award that is made good for by the chance");
        }

        @Test
        @DisplayName("An award that is made good for by a chance that does not come back violates I3")
        void missing() throws SQLException {
            compensate();
            violatedOnly("order:00-2 has its award made good for by the chance at event 93 and gives no chance back");
        }

        @Test
        @DisplayName("A chance that comes back in another commit than the remedy violates I3")
        void inAnotherCommit() throws SQLException {
            compensate();
            story.recharge(Story.ANN, 3, "ann", 1, 1, 1);
            story.giveBack(Story.BOB, 3, "bob", "00-2", TODAY);
            violatedOnly("order:00-2 gives its chance back at event 96"
                    + " and has its award made good for by the chance at event 93, in another commit");
        }
    }

    @Nested
    @DisplayName("I3: the answers to requests")
    class Answers {

        private void violatedOnly(String words) throws SQLException {
            assertThat(violated(IN_FLIGHT)).containsOnly(Map.entry("I3", words));
        }

        @ParameterizedTest
        @CsvSource({"DRAW,order:28-9", "DRAW,order:28-2", "CANCEL,order:28-1", "PARTAKE,order:28-3", "SLEEP,order:28-1"
        })
        @DisplayName("An answer with an order to which something else has happened, or nothing, violates I3")
        void namesAnother(String wish, String order) throws SQLException {
            story.answered("28-e", wish, 1, order);
            violatedOnly("order:28-e is answered at event 93 with %s, to which nothing has happened that fits %s"
                    .formatted(order, wish));
        }

        @ParameterizedTest
        @CsvSource({"DRAW,order:28-3", "CANCEL,order:28-2"})
        @DisplayName("An answer with an order that was drawn or cancelled in another commit violates I3")
        void namesAnOldOne(String wish, String order) throws SQLException {
            story.recharge(Story.ANN, 3, "ann", 1, 1, 1);
            story.answered("28-e", wish, 1, order);
            violatedOnly("order:28-e is answered at event 95 with %s, to which nothing has happened that fits %s"
                    .formatted(order, wish));
        }

        @Test
        @DisplayName("An answer with somebody else's order violates I3")
        void namesSomebodyElses() throws SQLException {
            story.event("order:33-e", 0, "raffle.request-answered", """
                    {"requestId":"order:33-e","activityId":100,"userId":"ann","wish":"PARTAKE","count":1,"orders":["order:28-1"]}""");
            violatedOnly("order:33-e of 100/ann is answered at event 93 with order:28-1 of 200/cat");
        }

        @ParameterizedTest
        @CsvSource({
            "DRAW,1,false,order:28-3 order:28-4",
            "DRAW,3,false,order:28-3 order:28-4",
            "DRAW,2,true,order:28-3 order:28-4",
            "DRAW,2,false,order:28-3 order:28-3",
            "PARTAKE,1,true,order:28-1",
            "CANCEL,2,false,order:28-2 order:28-2"
        })
        @DisplayName("An answer with more or less than was asked for violates I3")
        void doesNotFit(String wish, int count, boolean refused, String orders) throws SQLException {
            String[] each = orders.split(" ", -1);
            story.answered("28-e", wish, count, refused, each);
            violatedOnly("order:28-e is answered at event 93 with %s for %s of %d%s"
                    .formatted(List.of(each), wish, count, refused ? " and a shortage" : ""));
        }

        @Test
        @DisplayName("An answer with no order at all violates I3")
        void nothing() throws SQLException {
            story.answered("28-e", "DRAW", 1, true);
            violatedOnly("order:28-e is answered at event 93 with [] for DRAW of 1 and a shortage");
        }

        @Test
        @DisplayName("An event that follows an answer in its stream violates I3")
        void goesOn() throws SQLException {
            story.event("order:28-a", 1, "tree.defined", "{}");
            violatedOnly("order:28-a is answered at event 79 and goes on with tree.defined at event 93");
        }

        @Test
        @DisplayName("An answer in the stream of an order violates I3")
        void inAnOrder() throws SQLException {
            story.event("order:28-4", 1, "raffle.request-answered", """
                    {"requestId":"order:28-4","activityId":200,"userId":"cat","wish":"DRAW","count":1,"orders":["order:28-4"]}""");
            violatedOnly("order:28-4 is answered at event 93 in the stream of an order, order:28-4");
        }

        @Test
        @DisplayName("A chance that is spent for an answered request violates I3")
        void costsAChance() throws SQLException {
            story.spendOfCat(8, "28-a", "2026-12-01", 4);
            story.claim("participations:200", 4, "order:28-a");
            assertThat(violated(IN_FLIGHT)).containsOnlyKeys("I3");
        }
    }

    @Nested
    @DisplayName("Limits: no user wins an award more often than one user can")
    class WinLimits {

        private static final String ONE_BICYCLE = """
                {"strategyId":7,"version":2,"definition":{"mode":"SINGLE","awards":[\
                {"awardId":101,"title":"Coffee","type":"TEXT","rate":"0.5","sort":1,"lockedUntilDraws":0},\
                {"awardId":103,"title":"Bicycle","type":"PHYSICAL","rate":"0.01","sort":3,"lockedUntilDraws":0,"maxPerUser":1}],\
                "fallback":101}}""";

        /** Bob draws twice by a version that lets one user win one bicycle. */
        private Map<String, String> violations(String first, String second, boolean isCounted) throws SQLException {
            story.event("strategy:7", 1, "strategy.revised", ONE_BICYCLE);
            story.recharge(Story.BOB, 3, "bob", 9, 9, 9);
            story.spend(Story.BOB, 4, "bob", "00-3", "2027-01-01");
            if (isCounted) {
                count(5, "00-3");
            }
            drawByNewVersion("00-3", first);
            story.spend(Story.BOB, isCounted ? 6 : 5, "bob", "00-4", "2027-01-01");
            drawByNewVersion("00-4", second);
            return violated(IN_FLIGHT).entrySet().stream()
                    .filter(verdict -> verdict.getKey().equals("limits"))
                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        }

        private void count(long sequence, String key) throws SQLException {
            story.event(Story.BOB, sequence, "account.limited-award-won", """
                    {"activityId":100,"userId":"bob","orderId":"order:%s","awardId":103}""".formatted(key));
        }

        private void drawByNewVersion(String key, String rest) throws SQLException {
            story.event("order:" + key, 0, "raffle.drawn", """
                    {"orderId":"order:%s","activityId":100,"userId":"bob","strategyId":7,"strategyVersion":2,"round":1,\
                    "drawsBefore":2,"drawsBeforeToday":0,"soldOut":[],"ticket":"00","drawnAt":"2026-11-30T04:00:00.1234567Z",%s}""".formatted(key, rest));
        }

        private static final String BICYCLE =
                "\"outcome\":\"WON\",\"award\":{\"awardId\":103,\"title\":\"Bicycle\",\"type\":\"PHYSICAL\"}";
        private static final String NOTHING = "\"outcome\":\"NOTHING\"";
        private static final String REACHED = ",\"reached\":[103]";

        @Test
        @DisplayName("One win, and a draw that says so, keep the limit")
        void kept() throws SQLException {
            assertThat(violations(BICYCLE, NOTHING + REACHED, true)).isEmpty();
        }

        @Test
        @DisplayName("A second win violates the limit")
        void wonTwice() throws SQLException {
            assertThat(violations(BICYCLE, BICYCLE + REACHED, true))
                    .hasEntrySatisfying(
                            "limits",
                            said -> assertThat(said)
                                    .isEqualTo(
                                            "order:00-4 wins award 103 at event 100, and its user has won it 1 times before"));
        }

        @Test
        @DisplayName("A draw that does not name what its user has reached violates the limit")
        void notNamed() throws SQLException {
            assertThat(violations(BICYCLE, NOTHING, true))
                    .containsValue("order:00-4 says at event 100 that its user has reached [],"
                            + " and the earlier draws say [103]");
        }

        @Test
        @DisplayName("A win that the account has not counted violates the limit")
        void notCounted() throws SQLException {
            assertThat(violations(BICYCLE, NOTHING + REACHED, false))
                    .containsValue("order:00-3 wins award 103 at event 97, and 100/bob has not counted it");
        }

        @Test
        @DisplayName("A count without a win violates the limit")
        void countedForNothing() throws SQLException {
            assertThat(violations(NOTHING, NOTHING, true))
                    .containsValue("order:00-3 is counted at event 97 and wins nothing that is limited");
        }
    }

    @Nested
    @DisplayName("SKU limits: no user has a SKU more often than one user can")
    class SkuLimits {

        private void limit(int max, String period) throws SQLException {
            story.event("activity:100", 4, "activity.edited", """
                    {"activityId":100,"definition":{"name":"Spring","beginsAt":"2026-11-21T04:00:00Z",\
                    "endsAt":"2027-11-22T04:00:00Z","zone":"Asia/Shanghai","strategyId":7,"skus":[\
                    {"sku":9001,"bundle":{"total":2,"month":2,"day":2},"perUser":{"max":%d,"period":"%s"}}]}}""".formatted(max, period));
        }

        private void take(long sequence, String number, String day) throws SQLException {
            story.event(Story.BOB, sequence, "account.limited-sku-taken", """
                    {"activityId":100,"userId":"bob","rechargeId":"recharge:00-%s","sku":9001,"day":"%s"}""".formatted(number, day));
        }

        @Test
        @DisplayName("One a day is kept on two days, and violated by a second one on a day")
        void perDay() throws SQLException {
            limit(1, "DAY");
            take(3, "r3", "2026-12-01");
            take(4, "r4", "2026-12-02");
            assertThat(violated(IN_FLIGHT)).doesNotContainKey("sku-limits");
            take(5, "r5", "2026-12-02");
            assertThat(violated(IN_FLIGHT))
                    .containsEntry(
                            "sku-limits",
                            "100/bob has SKU 9001 3 times at event 96, which no limit of it allows:"
                                    + " [Limit[max=1, period=DAY]]");
        }

        @Test
        @DisplayName("One a month is violated by a second one in the month")
        void perMonth() throws SQLException {
            limit(1, "MONTH");
            take(3, "r3", "2026-11-30");
            take(4, "r4", "2026-12-01");
            assertThat(violated(IN_FLIGHT)).doesNotContainKey("sku-limits");
            take(5, "r5", "2026-12-31");
            assertThat(violated(IN_FLIGHT)).containsKey("sku-limits");
        }

        @Test
        @DisplayName("One recharge counts once")
        void countedTwice() throws SQLException {
            limit(2, "EVER");
            take(3, "r3", "2026-11-30");
            take(4, "r3", "2026-12-01");
            assertThat(violated(IN_FLIGHT)).containsEntry("sku-limits", "recharge:00-r3 is counted again at event 95");
        }
    }

    @Nested
    @DisplayName("I5: used ≤ granted")
    class UsedIsAtMostGranted {

        @Test
        @DisplayName("Chances beyond the total violate I5, even if a recharge follows")
        void violatedInTotalEvenIfARechargeFollows() throws SQLException {
            story.spend(Story.BOB, 3, "bob", "00-3", "2027-01-01");
            story.draw("bob", "00-3", "NOTHING", 0);
            story.recharge(Story.BOB, 4, "bob", 5, 5, 5);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("I5", "account:00:100:bob has used 3 of 2 chances in total at event 93"));
        }

        @Test
        @DisplayName("Chances beyond those of a month violate I5")
        void violatedInAMonth() throws SQLException {
            story.recharge(Story.BOB, 3, "bob", 1, 0, 0);
            story.spend(Story.BOB, 4, "bob", "00-3", "2026-12-02");
            story.draw("bob", "00-3", "NOTHING", 0);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry(
                            "I5", "account:00:100:bob has used 2 of 1 chances in the month of 2026-12-02 at event 95"));
        }

        @Test
        @DisplayName("Chances beyond those of a day violate I5")
        void violatedOnADay() throws SQLException {
            story.recharge(Story.BOB, 3, "bob", 1, 1, 0);
            story.spend(Story.BOB, 4, "bob", "00-3", "2026-12-01");
            story.draw("bob", "00-3", "NOTHING", 0);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(
                            Map.entry("I5", "account:00:100:bob has used 2 of 1 chances on 2026-12-01 at event 95"));
        }

        @Test
        @DisplayName("Free chances that a definition of the activity has are chances, and a second time violates I5")
        void freeChancesAreGivenOnce() throws SQLException {
            story.event("activity:100", 4, "activity.edited", """
                    {"activityId":100,"definition":{"name":"Spring","beginsAt":"2026-11-21T04:00:00Z",\
                    "endsAt":"2027-11-22T04:00:00Z","zone":"Asia/Shanghai","strategyId":7,\
                    "free":{"total":3,"month":3,"day":1},"skus":[]}}""");
            story.freeChances(Story.BOB, 3, "bob", 3, 3, 1);
            story.spend(Story.BOB, 4, "bob", "00-3", "2027-01-01");
            story.draw("bob", "00-3", "NOTHING", 0);
            assertThat(violated(IN_FLIGHT)).isEmpty();
            story.freeChances(Story.BOB, 5, "bob", 3, 3, 1);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("I5", "account:00:100:bob has free chances again at event 97"));
        }

        @Test
        @DisplayName("Free chances that no definition of the activity has violate I5")
        void freeChancesOfNoDefinition() throws SQLException {
            story.freeChances(Story.BOB, 3, "bob", 3, 3, 1);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry(
                            "I5",
                            "account:00:100:bob has free chances at event 93 that its activity does not give: 3/3/1"));
        }

        @Test
        @DisplayName("A chance that came back may be spent again, and one more violates I5")
        void keptByAChanceThatCameBackAndIsSpentAgain() throws SQLException {
            story.spendOfCat(8, "28-5", "2026-12-01", 4);
            story.drawOfCat(0, "28-5");
            story.claim("participations:200", 4, "order:28-5");
            assertThat(violated(IN_FLIGHT)).isEmpty();
            story.spendOfCat(9, "28-6", "2027-01-01", 5);
            story.drawOfCat(0, "28-6");
            story.claim("participations:200", 5, "order:28-6");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("I5", "account:28:200:cat has used 5 of 4 chances in total at event 95"));
        }

        @Test
        @DisplayName("A chance that is spent on a day before the last one violates I5")
        void violatedByAChanceThatIsSpentOnADayBeforeTheLastOne() throws SQLException {
            story.spendOfCat(8, "28-5", "2026-11-30", 4);
            story.drawOfCat(0, "28-5");
            story.claim("participations:200", 4, "order:28-5");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(
                            Map.entry("I5", "account:28:200:cat is back on 2026-11-30 at event 93, after 2026-12-01"));
        }

        @Test
        @DisplayName("A draw on a day before its chance was spent violates I5")
        void violatedByADrawOnADayBeforeItsChanceWasSpent() throws SQLException {
            story.open(8, "28-5", "2026-12-02", 4);
            story.create("28-5");
            story.use(9, "28-5", "2026-12-01");
            story.drawOfCat(1, "28-5");
            story.claim("participations:200", 4, "order:28-5");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(
                            Map.entry("I5", "account:28:200:cat is back on 2026-12-01 at event 95, after 2026-12-02"));
        }

        /** An account that remembers only the last day has forgotten by then what was used before it. */
        @Test
        @DisplayName("Chances beyond those of a day to which the clock has gone back violate I5")
        void violatedOnADayThatAClockHasGoneBackTo() throws SQLException {
            story.recharge(Story.BOB, 3, "bob", 1, 1, 0);
            story.spend(Story.BOB, 4, "bob", "00-3", "2026-11-30");
            story.draw("bob", "00-3", "NOTHING", 0);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(
                            Map.entry("I5", "account:00:100:bob has used 2 of 1 chances on 2026-11-30 at event 95"));
        }
    }

    @Nested
    @DisplayName("Rebates: a rebate is what its rule said, and is given once")
    class Rebates {

        private static final String ONE = "behaviour:33-1";

        private static final String SAYS = """
                "behaviour":"share","rebates":[{"kind":"SKU","activityId":100,"sku":9001}]""";

        private static final String ORDERED =
                "\"index\":0,\"rebate\":{\"kind\":\"SKU\",\"activityId\":100,\"sku\":9001}";

        private void violatedOnly(CheckMoment moment, String words) throws SQLException {
            assertThat(violated(moment)).containsOnly(Map.entry("rebates", words));
        }

        private void rule(int version, String limit) throws SQLException {
            story.event("rebate-rule:7", version - 1, "rule.defined", """
                    {"ruleId":7,"version":%d,"definition":{%s,%s"state":"OPEN"}}""".formatted(version, SAYS, limit));
        }

        private void count(int number, String behaviour, String day) throws SQLException {
            story.event("rebates:33:ann", number, "rebate.counted", """
                    {"userId":"ann","ruleId":7,"behaviourId":"%s","day":"%s"}""".formatted(behaviour, day));
        }

        private void report(String behaviour, int version, String rebate) throws SQLException {
            story.event(behaviour, 0, "behaviour.reported", """
                    {"behaviourId":"%s","userId":"ann","behaviour":"share","outBusinessNo":"x",\
                    "reportedAt":"2026-11-26T04:00:00Z","rebates":[{"ruleId":7,"version":%d,%s}]}""".formatted(behaviour, version, rebate));
        }

        private void give(String behaviour, int sequence) throws SQLException {
            story.event(behaviour, sequence, "behaviour.rebate-given", """
                    {"behaviourId":"%s","userId":"ann","ruleId":7,"index":0,"reference":"recharge:33-9"}""".formatted(behaviour));
        }

        /** Adds the two events of a recharge for the first rebate, which no read model needs: it brings no unit. */
        private void recharge(long sku) throws SQLException {
            story.event("account:33:200:ann", 0, "account.recharged", """
                    {"activityId":200,"userId":"ann","rechargeId":"recharge:33-9","bundle":{"total":2,"month":2,"day":2}}""");
            story.event("recharge:33-9", 0, "recharge.completed", """
                    {"rechargeId":"recharge:33-9","activityId":200,"userId":"ann","sku":%d,\
                    "outBusinessNo":"behaviour:33-1:7:0","bundle":{"total":2,"month":2,"day":2}}""".formatted(sku));
            story.sql("""
                    INSERT INTO view_account VALUES (200, 'ann', 2, 0, 2, 0, 2, 0, NULL, 0, 95, NULL, NULL, 0)""");
        }

        private String of200(String text) {
            return text.replace("100", "200").replace("9001", "9003");
        }

        private void rule200() throws SQLException {
            story.event("rebate-rule:7", 0, "rule.defined", """
                    {"ruleId":7,"version":1,"definition":{%s,"state":"OPEN"}}""".formatted(of200(SAYS)));
        }

        @Test
        @DisplayName("A rebate that is given with its recharge is no violation, and neither is one that is refused")
        void sound() throws SQLException {
            rule200();
            report(ONE, 1, of200(ORDERED));
            recharge(9003);
            give(ONE, 1);
            report("behaviour:33-2", 1, of200(ORDERED) + ",\"reason\":\"RULE_LIMIT\"");
            report("behaviour:33-3", 1, of200(ORDERED));
            story.event("behaviour:33-3", 1, "behaviour.rebate-refused", """
                    {"behaviourId":"behaviour:33-3","userId":"ann","ruleId":7,"index":0,"reason":"SKU_SOLD_OUT"}""");
            story.event("behaviour:33-3", 2, "behaviour.rebate-dropped", """
                    {"behaviourId":"behaviour:33-3","userId":"ann","ruleId":7,"index":0}""");
            assertThat(violated(AT_REST)).isEmpty();
            assertThat(verdict("rebates", AT_REST).checked()).isEqualTo(1);
        }

        @Test
        @DisplayName("A rebate that is given without a recharge is a violation")
        void nothingBooked() throws SQLException {
            rule(1, "");
            report(ONE, 1, ORDERED);
            give(ONE, 1);
            violatedOnly(AT_REST, "behaviour:33-1:7:0 is given at event 95, and nothing is booked for it");
        }

        @Test
        @DisplayName("A recharge for a rebate that is not given is a violation")
        void notGiven() throws SQLException {
            rule200();
            report(ONE, 1, of200(ORDERED));
            recharge(9003);
            violatedOnly(IN_FLIGHT, "behaviour:33-1:7:0 is booked at event 96, and was not given");
        }

        @Test
        @DisplayName("A rebate that is given in another commit than its recharge is a violation")
        void anotherCommit() throws SQLException {
            rule200();
            report(ONE, 1, of200(ORDERED));
            recharge(9003);
            rule(2, "");
            give(ONE, 1);
            violatedOnly(AT_REST, "behaviour:33-1:7:0 is given at event 98 and booked at event 96, in another commit");
        }

        @Test
        @DisplayName("A rebate that is given twice is a violation")
        void givenTwice() throws SQLException {
            rule200();
            report(ONE, 1, of200(ORDERED));
            recharge(9003);
            give(ONE, 1);
            give(ONE, 2);
            violatedOnly(AT_REST, "behaviour:33-1:7:0 is given at event 97 and again at event 98");
        }

        @Test
        @DisplayName("A recharge of something else is a violation")
        void somethingElse() throws SQLException {
            rule200();
            report(ONE, 1, of200(ORDERED));
            recharge(9002);
            give(ONE, 1);
            assertThat(violated(IN_FLIGHT))
                    .containsEntry(
                            "rebates",
                            "behaviour:33-1:7:0 is SKU 9003 of activity 200 for ann, and SKU 9002 of activity 200 for ann"
                                    + " at event 96");
        }

        @Test
        @DisplayName("A rebate that its rule did not say is a violation, and so is one of a version that there is not")
        void otherRule() throws SQLException {
            rule(1, "");
            report(ONE, 2, ORDERED);
            violatedOnly(IN_FLIGHT, "behaviour:33-1:7:0 is SKU 9001 of activity 100 at event 94, which no rule says");
        }

        @Test
        @DisplayName("A rebate that is never decided is a violation at rest")
        void undecided() throws SQLException {
            rule(1, "");
            report(ONE, 1, ORDERED);
            assertThat(violated(IN_FLIGHT)).isEmpty();
            violatedOnly(AT_REST, "behaviour:33-1:7:0 is ordered at event 94, and neither given nor refused");
        }

        @ParameterizedTest
        @CsvSource({"DAY, 2026-12-01, 2026-12-01", "MONTH, 2026-12-01, 2026-12-31", "EVER, 2026-12-01, 2027-01-01"})
        @DisplayName("A rule that pays a user more often than its limit says is a violation")
        void beyondLimit(String period, String first, String second) throws SQLException {
            rule(1, "\"limit\":{\"count\":1,\"period\":\"%s\"},".formatted(period));
            count(0, ONE, first);
            report(ONE, 1, ORDERED);
            count(1, "behaviour:33-2", second);
            report("behaviour:33-2", 1, ORDERED);
            assertThat(violated(IN_FLIGHT).get("rebates"))
                    .startsWith("rule 7 has paid ann 2 times in " + period)
                    .endsWith("at event 97, and its limit is 1");
        }

        @ParameterizedTest
        @CsvSource({"DAY, 2026-11-30, 2026-12-01", "MONTH, 2028-02-29, 2028-03-01"})
        @DisplayName("A rule that pays in the next period again is no violation")
        void nextPeriod(String period, String first, String second) throws SQLException {
            rule(1, "\"limit\":{\"count\":1,\"period\":\"%s\"},".formatted(period));
            count(0, ONE, first);
            report(ONE, 1, ORDERED);
            count(1, "behaviour:33-2", second);
            report("behaviour:33-2", 1, ORDERED);
            assertThat(violated(IN_FLIGHT)).isEmpty();
        }

        @Test
        @DisplayName("A payment of a limited rule that is not counted is a violation, and so is a day that goes back")
        void notCounted() throws SQLException {
            rule(1, "\"limit\":{\"count\":9,\"period\":\"DAY\"},");
            report(ONE, 1, ORDERED);
            violatedOnly(IN_FLIGHT, "behaviour:33-1:7 is paid at event 94 and counted 0 times");
            count(0, ONE, "2026-12-02");
            assertThat(violated(IN_FLIGHT)).isEmpty();
            count(1, "behaviour:33-2", "2026-12-01");
            report("behaviour:33-2", 1, ORDERED);
            violatedOnly(IN_FLIGHT, "rule 7 is counted for ann on 2026-12-01 at event 96, after 2026-12-02");
        }
    }

    @Nested
    @DisplayName("Sign-ins: a user signs in once a day, and streaks are counted right")
    class SignIns {

        private void sign(String day, int sequence, int streak, int inMonth) throws SQLException {
            String behaviour = "behaviour:33-" + day;
            story.event(behaviour, 0, "behaviour.reported", """
                    {"behaviourId":"%s","userId":"ann","behaviour":"sign","outBusinessNo":"sign-in:%s",\
                    "reportedAt":"2026-11-26T04:00:00Z","rebates":[]}""".formatted(behaviour, day));
            event(day, sequence, streak, inMonth, behaviour);
        }

        private void event(String day, int sequence, int streak, int inMonth, String behaviour) throws SQLException {
            story.event(
                    "sign-in:33:ann", sequence, "calendar.signed-in", """
                    {"userId":"ann","day":"%s","streak":%d,"daysThisMonth":%d,"behaviourId":"%s"}""".formatted(day, streak, inMonth, behaviour));
        }

        private void row(String month, int days, int version) throws SQLException {
            story.sql("INSERT INTO view_sign_in VALUES ('ann', '%s', %d, %d, 0)".formatted(month, days, version));
        }

        @Test
        @DisplayName("Days in a row over the end of a month are no violation, and neither is a day that was missed")
        void sound() throws SQLException {
            sign("2028-02-28", 0, 1, 1);
            sign("2028-02-29", 1, 2, 2);
            sign("2028-03-01", 2, 3, 1);
            sign("2028-03-03", 3, 1, 2);
            row("2028-02-01", (1 << 27) | (1 << 28), 1);
            row("2028-03-01", 1 | (1 << 2), 3);
            assertThat(violated(AT_REST)).isEmpty();
            assertThat(verdict("sign-ins", AT_REST).checked()).isEqualTo(4);
            assertThat(verdict("I8 view_sign_in", AT_REST).checked()).isEqualTo(2);
        }

        @Test
        @DisplayName("A wrong bitmap is a violation")
        void bitmap() throws SQLException {
            sign("2026-12-01", 0, 1, 1);
            row("2026-12-01", 2, 0);
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry(
                            "I8 view_sign_in", "view_sign_in has days 2 for 2026-12-01/ann, the events make it 1"));
        }

        @ParameterizedTest
        @CsvSource({
            "2026-12-01, 1, 1, ann signs in on 2026-12-01 at event 96 with a streak of 1 and 1 days",
            "2026-12-02, 2, 1, ann signs in on 2026-12-02 at event 96 with a streak of 2 and 1 days",
            "2026-12-01, 2, 2, ann signs in on 2026-12-01 at event 96 with a streak of 2 and 2 days",
        })
        @DisplayName("A streak or a count of days that is wrong is a violation")
        void streak(String day, int streak, int inMonth, String words) throws SQLException {
            sign("2026-11-30", 0, 1, 1);
            sign(day, 1, streak, inMonth);
            assertThat(violated(IN_FLIGHT).get("sign-ins")).startsWith(words);
        }

        @Test
        @DisplayName("A day that goes back is a violation")
        void back() throws SQLException {
            sign("2026-12-01", 0, 1, 1);
            sign("2026-11-30", 1, 1, 1);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("sign-ins", "ann signs in on 2026-11-30 at event 96, after 2026-12-01"));
        }

        @Test
        @DisplayName("A sign-in without its behaviour is a violation")
        void withoutBehaviour() throws SQLException {
            event("2026-12-01", 0, 1, 1, "behaviour:33-9");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry(
                            "sign-ins", "the sign-in of ann on 2026-12-01 at event 93 has no behaviour in its commit"));
        }
    }

    @Nested
    @DisplayName("Once: a recharge adds its chances once")
    class Recharges {

        private static final int UNLIMITED = 9003;

        private void violatedOnly(String words) throws SQLException {
            assertThat(violated(IN_FLIGHT)).containsOnly(Map.entry("once", words));
        }

        @Test
        @DisplayName("A recharge that waits is no violation")
        void waits() throws SQLException {
            story.order("28-5", UNLIMITED, 0);
            assertThat(violated(AT_REST)).isEmpty();
        }

        @Test
        @DisplayName("A second completion of a recharge is a violation")
        void completedTwice() throws SQLException {
            story.complete("28-3", 1, 9002, 2);
            violatedOnly("recharge:28-3 has recharge.completed at event 76 and again at event 93");
        }

        @Test
        @DisplayName("A completion after the recharge was closed is a violation")
        void completedAfterClosing() throws SQLException {
            story.order("28-5", UNLIMITED, 0);
            story.close("28-5", 1);
            story.added(Story.CAT, 8, "28-5");
            story.complete("28-5", 2, UNLIMITED, 0);
            violatedOnly("recharge:28-5 has recharge.completed at event 96 after recharge.closed at event 94");
        }

        @Test
        @DisplayName("Closing a completed recharge is a violation")
        void closedAfterCompletion() throws SQLException {
            story.close("28-3", 1);
            story.release("recharge:28-3");
            violatedOnly("recharge:28-3 has recharge.closed at event 93 after recharge.completed at event 76");
        }

        @Test
        @DisplayName("Chances that no recharge brought are a violation")
        void addedByNobody() throws SQLException {
            story.added(Story.CAT, 8, "28-5");
            violatedOnly("recharge:28-5 has account.recharged at event 93 and no recharge.completed");
        }

        @Test
        @DisplayName("Chances that come while the recharge waits are a violation")
        void addedTooEarly() throws SQLException {
            story.order("28-5", UNLIMITED, 0);
            story.added(Story.CAT, 8, "28-5");
            violatedOnly("recharge:28-5 has account.recharged at event 94 and no recharge.completed");
        }

        @Test
        @DisplayName("A completed recharge without its chances is a violation")
        void notAdded() throws SQLException {
            story.complete("28-5", 0, UNLIMITED, 0);
            violatedOnly("recharge:28-5 has recharge.completed at event 93 and no account.recharged");
        }

        @Test
        @DisplayName("Chances that come twice are a violation")
        void addedTwice() throws SQLException {
            story.added(Story.CAT, 8, "28-3");
            violatedOnly("recharge:28-3 has account.recharged at event 75 and again at event 93");
        }

        @Test
        @DisplayName("Chances that come in another commit are a violation")
        void addedInAnotherCommit() throws SQLException {
            story.added(Story.CAT, 8, "28-5");
            story.recharge(Story.ANN, 3, "ann", 1, 1, 1);
            story.complete("28-5", 0, UNLIMITED, 0);
            violatedOnly(
                    "recharge:28-5 has recharge.completed at event 96 and account.recharged at event 93, in another commit");
        }

        @Test
        @DisplayName("Other chances than the recharge promised are a violation")
        void otherChances() throws SQLException {
            story.added(Story.CAT, 8, "28-5");
            story.event("recharge:28-5", 0, "recharge.completed", """
                    {"rechargeId":"recharge:28-5","activityId":200,"userId":"cat","sku":9003,"outBusinessNo":"b",\
                    "bundle":{"total":3,"month":2,"day":2}}""");
            violatedOnly("recharge:28-5 has recharge.completed with 3/2/2 chances of 200/cat at event 94"
                    + " and account.recharged with 2/2/2 chances of 200/cat at event 93");
        }

        @Test
        @DisplayName("A recharge that begins with its end is a violation")
        void beginsWithItsEnd() throws SQLException {
            story.close("28-5", 0);
            violatedOnly("recharge:28-5 begins with recharge.closed at event 93, which begins no recharge");
        }

        @Test
        @DisplayName("A business number that brings chances twice, as two recharges, is a violation")
        void numberTwice() throws SQLException {
            story.added(Story.CAT, 8, "28-5");
            story.event("recharge:28-5", 0, "recharge.completed", """
                    {"rechargeId":"recharge:28-5","activityId":200,"userId":"cat","sku":9003,"outBusinessNo":"b-28-3",\
                    "bundle":{"total":2,"month":2,"day":2}}""");
            violatedOnly("b-28-3 of cat is recharge:28-3, and at event 94 recharge:28-5");
        }

        @Test
        @DisplayName("An event in another recharge's stream is a violation")
        void otherStream() throws SQLException {
            story.order("28-5", UNLIMITED, 0);
            story.event("recharge:28-3", 1, "recharge.closed", "{\"rechargeId\":\"recharge:28-5\",\"userId\":\"cat\"}");
            violatedOnly("recharge:28-5 has recharge.closed at event 94 in the stream of recharge:28-3");
        }
    }

    @Nested
    @DisplayName("Credits: booked once, never below zero, as was won or as it cost")
    class CreditsAreBookedOnce {

        @BeforeEach
        void tellOfEve() throws SQLException {
            story.tellOfEve();
        }

        private void violatedOnly(String words) throws SQLException {
            assertThat(violated(IN_FLIGHT)).containsOnly(Map.entry("credits", words));
        }

        /** Adds six events: another award of credits for Eve, and its booking as her fourth. */
        private void winAndBook(String amount) throws SQLException {
            story.recharge(Story.EVE, 2, "eve", 1, 1, 1);
            story.spend(Story.EVE, 3, "eve", "3e-2", "2026-12-01");
            story.draw("eve", "3e-2", "WON", Story.CREDITS);
            story.win("eve", "3e-2", Story.CREDITS);
            story.book(4, amount, "35", "award:3e-2");
        }

        private String flaw() throws SQLException {
            return verdict("credits", IN_FLIGHT).first();
        }

        @Test
        @DisplayName("A recharge that is paid for in one commit with it is no violation")
        void paid() throws SQLException {
            story.price(100, 9001);
            story.book(4, "-2", "24.5", "recharge:3e-r2");
            story.recharge(Story.EVE, 2, "eve", 1, 1, 1);
            assertThat(flaw()).isEmpty();
            assertThat(verdict("credits", IN_FLIGHT).checked()).isEqualTo(6);
        }

        @Test
        @DisplayName("A recharge that waited for its payment elsewhere when its SKU got a price is no violation")
        void paidElsewhere() throws SQLException {
            story.order("28-5", 9003, 0);
            story.price(200, 9003);
            story.complete("28-5", 1, 9003, 0);
            assertThat(flaw()).isEmpty();
            story.complete("28-6", 0, 9003, 0);
            assertThat(flaw()).isEqualTo("recharge:28-6 costs 2 at event 105, and nothing is booked for it");
        }

        @Test
        @DisplayName("A recharge that costs something and has no booking is a violation")
        void unpaid() throws SQLException {
            story.price(100, 9001);
            story.recharge(Story.EVE, 2, "eve", 1, 1, 1);
            assertThat(flaw()).isEqualTo("recharge:3e-r2 costs 2 at event 104, and nothing is booked for it");
        }

        @Test
        @DisplayName("A booking of another amount than the price of the recharge is a violation")
        void otherPrice() throws SQLException {
            story.price(100, 9001);
            story.recharge(Story.EVE, 2, "eve", 1, 1, 1);
            story.book(4, "-1", "25.5", "recharge:3e-r2");
            assertThat(flaw()).isEqualTo("recharge:3e-r2 costs 2 at event 104, and -1 is booked for it at event 105");
        }

        @Test
        @DisplayName("A price that is booked in another commit than its recharge is a violation")
        void paidInAnotherCommit() throws SQLException {
            story.price(100, 9001);
            story.recharge(Story.EVE, 2, "eve", 1, 1, 1);
            story.recharge(Story.BOB, 7, "bob", 1, 1, 1);
            story.book(4, "-2", "24.5", "recharge:3e-r2");
            assertThat(flaw()).startsWith("recharge:3e-r2 costs 2 at event 104, and -2 is booked for it at event");
        }

        @Test
        @DisplayName("A recharge that costs credits and waits for its payment elsewhere is a violation")
        void paidLater() throws SQLException {
            story.price(200, 9003);
            story.order("28-5", 9003, 0);
            assertThat(flaw()).isEqualTo("recharge:28-5 costs 2 and is ordered at event 103, to be paid for later");
        }

        @Test
        @DisplayName("A booking for a recharge of somebody else is a violation")
        void paidByAnother() throws SQLException {
            story.price(100, 9001);
            story.recharge(Story.ANN, 3, "ann", 1, 1, 1);
            story.book(4, "-2", "24.5", "recharge:33-r3");
            assertThat(check(IN_FLIGHT).verdicts())
                    .filteredOn(verdict -> verdict.name().equals("credits"))
                    .extracting(InvariantVerdict::violated, InvariantVerdict::first)
                    .containsExactly(
                            tuple(2L, "credit:3e:eve books -2 for recharge:33-r3 at event 105, which ann has had"));
        }

        @Test
        @DisplayName("A booking for a recharge that costs nothing is a violation")
        void paidForNothing() throws SQLException {
            story.recharge(Story.EVE, 2, "eve", 1, 1, 1);
            story.book(4, "-2", "24.5", "recharge:3e-r2");
            assertThat(flaw())
                    .isEqualTo("credit:3e:eve books -2 for recharge:3e-r2 at event 104,"
                            + " which is no recharge that costs credits");
        }

        @Test
        @DisplayName("Sound bookings are no violation, and their read model is the fold of the events")
        void kept() throws SQLException {
            assertThat(violated(AT_REST)).isEmpty();
            assertThat(verdict("credits", AT_REST).checked()).isEqualTo(4);
            assertThat(verdict("I8 view_credit_entry", AT_REST).checked()).isEqualTo(3);
        }

        @Test
        @DisplayName("Credits that somebody else has granted are no violation, and are counted")
        void elsewhere() throws SQLException {
            story.forget();
            story.tellSound();
            story.recharge(Story.EVE, 0, "eve", 1, 1, 1);
            story.spend(Story.EVE, 1, "eve", "3e-1", "2026-11-30");
            story.draw("order:3e-1", 0, "eve", "3e-1", "WON", Story.CREDITS);
            story.win("eve", "3e-1", Story.CREDITS);
            story.answer("eve", "3e-1", 1, "award.granted", ",\"reference\":\"4711\"");
            assertThat(violated(IN_FLIGHT)).doesNotContainKey("credits");
            assertThat(verdict("credits", IN_FLIGHT).remark()).startsWith("1 awards of credits");
        }

        @Test
        @DisplayName("A second booking of one business number is a violation")
        void twice() throws SQLException {
            story.book(4, "30", "56.5", "gift");
            assertThat(violated(IN_FLIGHT).get("credits"))
                    .isEqualTo("gift of eve is booked at event 100 and again at event 102");
        }

        @Test
        @DisplayName("A balance below zero is a violation, however little")
        void belowZero() throws SQLException {
            story.book(4, "-26.500001", "-0.000001", "shop-2");
            violatedOnly("credit:3e:eve falls to -0.000001 at event 102");
        }

        @Test
        @DisplayName("A balance that its bookings do not add up to is a violation")
        void wrongSum() throws SQLException {
            story.book(4, "0.1", "26.7", "gift-2");
            violatedOnly("credit:3e:eve has 26.7 credits at event 102, and its bookings add up to 26.6");
        }

        @Test
        @DisplayName("A booking out of turn is a violation")
        void outOfTurn() throws SQLException {
            story.event(Story.EVES_CREDITS, 3, "credit.booked", """
                    {"userId":"eve","entry":5,"amount":"1","balance":"27.5","businessNo":"x","bookedAt":"2026-11-30T04:00:00Z"}""");
            story.claim(Story.EVES_CREDITS, "x", "5");
            violatedOnly("credit:3e:eve has entry 5 at event 102, where 4 was due");
        }

        @Test
        @DisplayName("A booking in somebody else's stream is a violation")
        void otherStream() throws SQLException {
            story.event("credit:28:ann", 0, "credit.booked", """
                    {"userId":"cat","entry":1,"amount":"1","balance":"1","businessNo":"x","bookedAt":"2026-11-30T04:00:00Z"}""");
            story.claim("credit:28:ann", "x", "1");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(
                            Map.entry("credits", "credit:28:ann has a booking of cat at event 102"),
                            Map.entry(
                                    "homes",
                                    "event 102, credit.booked, is about cat of shard 28, and in the stream credit:28:ann"));
        }

        @Test
        @DisplayName("A booking whose number is unclaimed, or claimed for another one, is a violation")
        void unclaimed() throws SQLException {
            story.sql("DELETE FROM claim WHERE key = 'shop'");
            violatedOnly("shop is booked by credit:3e:eve at event 101 as entry 3, and claimed by nobody");
            story.claim(Story.EVES_CREDITS, "shop", "2");
            violatedOnly("shop is booked by credit:3e:eve at event 101 as entry 3, and claimed for entry 2");
        }

        @Test
        @DisplayName("A number that was claimed for nothing is a violation")
        void claimedForNothing() throws SQLException {
            story.claim(Story.EVES_CREDITS, "lost", "4");
            violatedOnly("credit:3e:eve has claimed lost and booked nothing for it");
        }

        @Test
        @DisplayName("A booking for an award that nobody won as credits is a violation")
        void notWon() throws SQLException {
            story.book(4, "8.5", "35", "award:33-1");
            violatedOnly("credit:3e:eve books 8.5 for award:33-1 at event 102, which nobody has won as credits");
        }

        @Test
        @DisplayName("A booking for somebody else's award is a violation")
        void othersAward() throws SQLException {
            story.event("credit:33:ann", 0, "credit.booked", """
                    {"userId":"ann","entry":1,"amount":"8.5","balance":"8.5","businessNo":"award:3e-1","bookedAt":"2026-11-30T04:00:00Z"}""");
            story.claim("credit:33:ann", "award:3e-1", "1");
            violatedOnly("credit:33:ann books 8.5 for award:3e-1 at event 102, which eve has won");
        }

        @Test
        @DisplayName("A booking of another amount than was won is a violation")
        void otherAmount() throws SQLException {
            winAndBook("8.50");
            assertThat(violated(IN_FLIGHT)).doesNotContainKey("credits");
            story.sql(
                    "UPDATE event SET payload = convert_to(replace(convert_from(payload, 'UTF8'), '8.50', '8.51'), 'UTF8')");
            assertThat(violated(IN_FLIGHT).get("credits"))
                    .isEqualTo("credit:3e:eve has 35 credits at event 107, and its bookings add up to 35.01");
            story.sql(
                    "UPDATE event SET payload = convert_to(replace(convert_from(payload, 'UTF8'), '\"35\"', '\"35.01\"'), 'UTF8')");
            assertThat(violated(IN_FLIGHT).get("credits"))
                    .isEqualTo("credit:3e:eve books 8.51 for award:3e-2 at event 107, which is 8.5");
        }

        @Test
        @DisplayName("Credits that were granted and not booked, or booked elsewhere, are a violation")
        void notBooked() throws SQLException {
            story.sql("""
                    UPDATE event SET payload = convert_to(replace(convert_from(payload, 'UTF8'), '#1', '#2'), 'UTF8')
                    WHERE type = 'award.granted'""");
            violatedOnly("award:3e-1 is granted at event 99 as credit:3e:eve#2, and booked as credit:3e:eve#1");
            story.sql("""
                    UPDATE event SET payload = convert_to(replace(convert_from(payload, 'UTF8'), 'award:3e-1', 'other'), 'UTF8')
                    WHERE type = 'credit.booked';
                    UPDATE claim SET key = 'other' WHERE key = 'award:3e-1'""");
            assertThat(violated(IN_FLIGHT).get("credits"))
                    .isEqualTo("award:3e-1 is granted at event 99 as credit:3e:eve#2, and nothing is booked for it");
        }

        @Test
        @DisplayName("A wrong balance in the read model violates I8, and a row that is missing does at rest")
        void readModel() throws SQLException {
            story.sql("UPDATE view_credit_entry SET balance = 26.51 WHERE entry = 3");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry(
                            "I8 view_credit_entry",
                            "view_credit_entry has balance 26.51 for eve#3, the events make it 26.5"));
            story.sql("DELETE FROM view_credit_entry WHERE entry = 3");
            assertThat(violated(IN_FLIGHT)).isEmpty();
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry("I8 view_credit_entry", "view_credit_entry has no row for eve#3"));
        }
    }

    @Nested
    @DisplayName("I6: each win comes to one end")
    class EachWinComesToOneEnd {

        /** All fields that an event about an award may have. */
        private static final String MORE = ",\"reference\":\"r\",\"reason\":\"x\",\"attempt\":1,"
                + "\"by\":\"SUBSTITUTE\",\"substitute\":\"award:33-9\"";

        /** The field that makes a win a granted one. */
        private static final String GRANTED = ",\"grantReference\":\"text:33-3\"";

        /** Adds the events 93 to 97: a win of Ann. */
        private void annWins(int award, String grant) throws SQLException {
            story.recharge(Story.ANN, 3, "ann", 1, 1, 1);
            story.spend(Story.ANN, 4, "ann", "33-3", "2026-11-30");
            story.draw("ann", "33-3", "WON", award);
            story.win(0, "ann", "33-3", award, grant);
            if (award != Story.COFFEE) {
                story.claim("stock:100/" + award, 3, "order:33-3");
            }
        }

        /** Adds the events from 98 on, which happen to that win. */
        private void goesOn(String... names) throws SQLException {
            for (int i = 0; i < names.length; i++) {
                story.answer("ann", "33-3", i + 1, names[i], MORE);
            }
        }

        private void violatedOnly(String words) throws SQLException {
            assertThat(violated(IN_FLIGHT)).containsOnly(Map.entry("I6", words));
        }

        @Test
        @DisplayName("Wins that are in flight, that wait, or that are on the desk keep I6, and are counted")
        void countsWhatIsInFlight() throws SQLException {
            annWins(Story.COFFEE, Story.AT_ONCE);
            assertThat(verdict("I6", IN_FLIGHT).remark()).isEqualTo("1 in flight, 2 waiting, 1 on the desk");
            assertThat(violated(IN_FLIGHT)).isEmpty();
        }

        @ParameterizedTest
        @CsvSource({
            "WON,97,",
            "DISPATCHED,98,award.dispatched",
            "DISPATCH_FAILED,98,award.dispatch-failed",
            "REJECTED,99,award.dispatched award.grant-rejected",
            "REJECTED,99,award.left-to-desk award.grant-rejected"
        })
        @DisplayName("A win that comes to no end violates I6 at rest")
        void noEnd(String state, int since, @Nullable String names) throws SQLException {
            annWins(Story.COFFEE, Story.AT_ONCE);
            goesOn(names == null ? new String[0] : names.split(" ", -1));
            assertThat(violated(AT_REST))
                    .containsEntry("I6", "award:33-3 is %s since event %d and comes to no end".formatted(state, since));
            assertThat(violated(IN_FLIGHT)).isEmpty();
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "award.granted",
                    "award.dispatch-failed award.dispatch-failed award.dispatched award.granted",
                    "award.left-to-desk",
                    "award.grant-rejected award.left-to-desk",
                    "award.grant-rejected award.left-to-desk award.granted",
                    "award.left-to-desk award.grant-rejected award.left-to-desk"
                })
        @DisplayName("A win that is granted or on the desk keeps I6 at rest")
        void end(String names) throws SQLException {
            annWins(Story.COFFEE, Story.AT_ONCE);
            goesOn(names.split(" ", -1));
            assertThat(violated(AT_REST)).doesNotContainKey("I6");
            assertThat(violated(IN_FLIGHT)).isEmpty();
        }

        @ParameterizedTest
        @CsvSource({
            "GRANTED,98,award.granted award.granted",
            "GRANTED,98,award.granted award.grant-rejected",
            "GRANTED,98,award.granted award.dispatched",
            "GRANTED,98,award.granted award.dispatch-failed",
            "GRANTED,98,award.granted award.left-to-desk",
            "GRANTED,98,award.granted award.released",
            "REJECTED,98,award.grant-rejected award.granted",
            "REJECTED,98,award.grant-rejected award.grant-rejected",
            "REJECTED,98,award.grant-rejected award.dispatched",
            "DISPATCHED,98,award.dispatched award.dispatched",
            "DISPATCHED,98,award.dispatched award.dispatch-failed",
            "DISPATCHED,98,award.dispatched award.claimed",
            "ON_DESK,98,award.left-to-desk award.left-to-desk",
            "ON_DESK,98,award.left-to-desk award.dispatched"
        })
        @DisplayName("An event that cannot happen any more violates I6")
        void tooLate(String state, int since, String names) throws SQLException {
            annWins(Story.COFFEE, Story.AT_ONCE);
            String[] each = names.split(" ", -1);
            goesOn(each);
            violatedOnly("award:33-3 is %s since event %d and goes on with %s at event %d"
                    .formatted(state, since, each[1], since + 1));
        }

        @ParameterizedTest
        @CsvSource({
            "17-1,4,COMPENSATED,36,award.granted",
            "17-1,4,COMPENSATED,36,award.grant-rejected",
            "17-1,4,COMPENSATED,36,award.left-to-desk",
            "17-3,2,FORFEITED,49,award.claimed",
            "17-3,2,FORFEITED,49,award.forfeited",
            "17-3,2,FORFEITED,49,award.granted"
        })
        @DisplayName("An event after an award was made good for or forfeited violates I6")
        void afterItsEnd(String key, int sequence, String state, int since, String name) throws SQLException {
            story.answer("dan", key, sequence, name, "");
            violatedOnly(
                    "award:%s is %s since event %d and goes on with %s at event 93".formatted(key, state, since, name));
        }

        @Test
        @DisplayName("An award that is granted and made good for by another one violates I6")
        void grantedAndMadeGoodFor() throws SQLException {
            story.winInsteadOf("award:17-4", "17-8", 300, "dan", 0);
            story.answer("dan", "17-4", 5, "award.compensated", substitute("award:17-8"));
            story.releaseUnit("order:17-4");
            violatedOnly("award:17-4 is GRANTED since event 56 and goes on with award.compensated at event 94");
        }

        private static String substitute(String award) {
            return ",\"by\":\"SUBSTITUTE\",\"substitute\":\"%s\"".formatted(award);
        }

        @Test
        @DisplayName("A win that is granted where it is won keeps I6 at rest, and nothing can happen to it then")
        void grantedWithTheWin() throws SQLException {
            annWins(Story.COFFEE, Story.AT_ONCE + GRANTED);
            assertThat(violated(AT_REST)).doesNotContainKey("I6");
            goesOn("award.granted");
            violatedOnly("award:33-3 is GRANTED since event 97 and goes on with award.granted at event 98");
        }

        @Test
        @DisplayName("A win that is granted where it is won and has to be handed over violates I6")
        void grantedThoughToBeHandedOver() throws SQLException {
            annWins(Story.COFFEE, Story.ON_RELEASE + GRANTED);
            violatedOnly("award:33-3 is granted at event 97, where it is won, although somebody has to hand it over");
            story.forget();
            story.tellSound();
            annWins(Story.BICYCLE, Story.AT_ONCE + GRANTED);
            violatedOnly("award:33-3 is granted at event 97, where it is won, although somebody has to hand it over");
        }

        @Test
        @DisplayName("A second rejection violates I6, whatever was between them")
        void rejectedTwice() throws SQLException {
            annWins(Story.COFFEE, Story.AT_ONCE);
            goesOn("award.grant-rejected", "award.left-to-desk", "award.grant-rejected");
            violatedOnly("award:33-3 is rejected at event 98 and again at event 100");
        }

        @ParameterizedTest
        @ValueSource(strings = {"award.released", "award.claimed", "award.address-erased", "award.forfeited"})
        @DisplayName("A release, claim, erasure or forfeit for which the award does not wait violates I6")
        void notWaiting(String name) throws SQLException {
            annWins(Story.COFFEE, Story.AT_ONCE);
            goesOn(name);
            violatedOnly("award:33-3 has %s at event 98 and does not wait for that".formatted(name));
        }

        @ParameterizedTest
        @ValueSource(strings = {"award.released award.released", "award.claimed award.claimed"})
        @DisplayName("A second release violates I6, and so does a second claim")
        void again(String names) throws SQLException {
            annWins(Story.BICYCLE, Story.ON_RELEASE);
            String[] each = names.split(" ", -1);
            goesOn(each);
            violatedOnly("award:33-3 has %s at event 99 and does not wait for that".formatted(each[1]));
        }

        @Test
        @DisplayName("An award whose address was erased is claimed again, or forfeited")
        void erased() throws SQLException {
            annWins(Story.BICYCLE, Story.AT_ONCE);
            goesOn(
                    "award.claimed",
                    "award.address-erased",
                    "award.claimed",
                    "award.dispatched",
                    "award.address-erased",
                    "award.address-erased");
            violatedOnly("award:33-3 has award.address-erased at event 103 and does not wait for that");
        }

        @Test
        @DisplayName("An award that is forfeited after its claim violates I6")
        void claimedAndForfeited() throws SQLException {
            annWins(Story.BICYCLE, Story.AT_ONCE);
            goesOn("award.claimed", "award.forfeited");
            story.release("order:33-3");
            violatedOnly("award:33-3 has award.forfeited at event 99 and does not wait for that");
        }

        @Test
        @DisplayName("A win keeps I6 at rest until it is both released and claimed, and violates it then")
        void bothReleasedAndClaimed() throws SQLException {
            annWins(Story.BICYCLE, Story.ON_RELEASE);
            assertThat(violated(AT_REST)).doesNotContainKey("I6");
            goesOn("award.released");
            assertThat(violated(AT_REST)).doesNotContainKey("I6");
            story.answer("ann", "33-3", 2, "award.claimed", "");
            assertThat(violated(AT_REST)).containsEntry("I6", "award:33-3 is WON since event 97 and comes to no end");
        }

        @Test
        @DisplayName("A win whose time is still to come keeps I6 at rest until it is dispatched")
        void time() throws SQLException {
            annWins(Story.COFFEE, Story.FAR_AHEAD);
            assertThat(violated(AT_REST)).doesNotContainKey("I6");
            goesOn("award.dispatched");
            assertThat(violated(AT_REST))
                    .containsEntry("I6", "award:33-3 is DISPATCHED since event 98 and comes to no end");
        }

        @Test
        @DisplayName("A win whose time has come violates I6 at rest")
        void timeHasCome() throws SQLException {
            annWins(Story.COFFEE, Story.LONG_PAST);
            assertThat(violated(AT_REST)).containsEntry("I6", "award:33-3 is WON since event 97 and comes to no end");
        }

        @Test
        @DisplayName("An award that was drawn and has vanished violates I6")
        void violatedByAnAwardThatWasDrawnAndHasVanished() throws SQLException {
            story.recharge(Story.ANN, 3, "ann", 1, 1, 1);
            story.spend(Story.ANN, 4, "ann", "33-3", "2026-11-30");
            story.draw("ann", "33-3", "WON", 101);
            violatedOnly("order:33-3 drew an award at event 96 that nobody won");
        }

        @ParameterizedTest
        @ValueSource(strings = {"award:00-9", "award:00-1"})
        @DisplayName("A substitute that nobody won, or that was drawn, violates I6")
        void substituteHasVanished(String substitute) throws SQLException {
            story.answer("bob", "00-2", 3, "award.compensated", substitute(substitute));
            story.release("order:00-2");
            violatedOnly("award:00-2 is made good for by %s at event 93, which nobody won instead of it"
                    .formatted(substitute));
        }

        @ParameterizedTest
        @CsvSource({"MANUAL,", "SUBSTITUTE,", "MANUAL,award:00-9"})
        @DisplayName("A remedy that makes nothing good violates I6")
        void noRemedy(String by, @Nullable String substitute) throws SQLException {
            String with = substitute == null ? "" : ",\"substitute\":\"%s\"".formatted(substitute);
            story.answer("bob", "00-2", 3, "award.compensated", ",\"by\":\"%s\"".formatted(by) + with);
            story.release("order:00-2");
            violatedOnly("award:00-2 is made good for by %s at event 93, with %s"
                    .formatted(by, substitute == null ? "nothing" : substitute));
        }
    }

    @Nested
    @DisplayName("I7: no win without a chance, no grant without a win")
    class NoWinWithoutAChanceNoGrantWithoutAWin {

        @Test
        @DisplayName("A draw that cost nothing violates I7")
        void violatedByADrawThatCostNothing() throws SQLException {
            story.draw("ann", "33-3", "WON", 101);
            story.win("ann", "33-3", 101);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("I7", "order:33-3 is drawn at event 93 and no chance was spent for it"));
        }

        @Test
        @DisplayName("A draw at somebody else's cost violates I7")
        void violatedByADrawAtSomebodyElsesCost() throws SQLException {
            story.recharge(Story.BOB, 3, "bob", 1, 1, 1);
            story.spend(Story.BOB, 4, "bob", "33-3", "2026-12-01");
            story.draw("ann", "33-3", "NOTHING", 0);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(
                            Map.entry(
                                    "I7",
                                    "order:33-3 is drawn for 100/ann at event 96 and the chance is one of 100/bob"),
                            Map.entry(
                                    "I3",
                                    "order:33-3 costs a chance at event 95 and is drawn at event 96, in another commit"));
        }

        @Test
        @DisplayName("A draw for a chance that had come back violates I7")
        void violatedByADrawForAChanceThatHadComeBack() throws SQLException {
            story.spendOfCat(8, "28-5", "2026-12-01", 4);
            story.giveBack(9, "28-5", "2026-12-01");
            story.drawOfCat(0, "28-5");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry(
                            "I7", "order:28-5 is drawn at event 95 and its chance had been given back at event 94"));
        }

        @Test
        @DisplayName("A win that was not drawn violates I7")
        void violatedByAWinThatWasNotDrawn() throws SQLException {
            story.win("ann", "33-3", 101);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("I7", "award:33-3 is won at event 93 and nothing was drawn for it"));
        }

        @Test
        @DisplayName("A win of another award than the draw gave violates I7")
        void violatedByAWinOfWhatTheDrawDidNotGive() throws SQLException {
            story.win("ann", "33-2", 102);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(
                            Map.entry(
                                    "I7",
                                    "award:33-2 is won as award 102 by 100/ann at event 93 and its draw gave no award to 100/ann"));
        }

        @Test
        @DisplayName("A win of another user than the one who drew violates I7")
        void violatedByAWinOfSomebodyElse() throws SQLException {
            story.recharge(Story.ANN, 3, "ann", 1, 1, 1);
            story.spend(Story.ANN, 4, "ann", "33-3", "2026-11-30");
            story.draw("ann", "33-3", "WON", 101);
            story.win("bob", "33-3", 101);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(
                            Map.entry(
                                    "I7",
                                    "award:33-3 is won as award 101 by 100/bob at event 97 and its draw gave award 101 to 100/ann"),
                            Map.entry(
                                    "homes",
                                    "event 97, award.won, is about bob of shard 00, and in the stream award:33-3"));
        }

        @Test
        @DisplayName("A second win of one draw violates I7")
        void violatedByASecondWinOfOneDraw() throws SQLException {
            story.win(3, "ann", "33-1", 101);
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("I7", "award:33-1 is won at event 12 and again at event 93"));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "award.released",
                    "award.claimed",
                    "award.address-erased",
                    "award.forfeited",
                    "award.dispatched",
                    "award.dispatch-failed",
                    "award.granted",
                    "award.grant-rejected",
                    "award.left-to-desk"
                })
        @DisplayName("An event about an award that was not won violates I7")
        void violatedByWhatHappensToAnAwardThatWasNotWon(String name) throws SQLException {
            story.answer("ann", "33-2", 0, name, "");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("I7", "award:33-2 has " + name + " at event 93 and was not won before"));
        }
    }

    @Nested
    @DisplayName("I7: a win that makes good for another one")
    class AWinInsteadOfAnother {

        private void compensate(String substitute) throws SQLException {
            story.answer(
                    "bob",
                    "00-2",
                    3,
                    "award.compensated",
                    ",\"by\":\"SUBSTITUTE\",\"substitute\":\"" + substitute + "\"");
            story.release("order:00-2");
        }

        private void violatedOnly(String words) throws SQLException {
            assertThat(violated(IN_FLIGHT)).containsOnly(Map.entry("I7", words));
        }

        @Test
        @DisplayName("A substitute keeps I7, although nothing was drawn for it")
        void kept() throws SQLException {
            story.winInsteadOf("award:00-2", "00-9", 100, "bob", 0);
            compensate("award:00-9");
            assertThat(violated(IN_FLIGHT)).isEmpty();
        }

        @Test
        @DisplayName("A substitute for an award that was not made good for violates I7")
        void notCompensated() throws SQLException {
            story.winInsteadOf("award:00-2", "00-9", 100, "bob", 0);
            violatedOnly("award:00-9 is won at event 93 instead of award:00-2, which was not made good for by it");
        }

        @Test
        @DisplayName("A second substitute for one award violates I7")
        void second() throws SQLException {
            story.winInsteadOf("award:17-1", "17-8", 300, "dan", 0);
            violatedOnly("award:17-8 is won at event 93 instead of award:17-1, which was not made good for by it");
        }

        @Test
        @DisplayName("A substitute that is won in another commit than the remedy violates I7")
        void inAnotherCommit() throws SQLException {
            compensate("award:00-9");
            story.recharge(Story.ANN, 3, "ann", 1, 1, 1);
            story.winInsteadOf("award:00-2", "00-9", 100, "bob", 0);
            violatedOnly("award:00-9 is won at event 96 and makes good for award:00-2 at event 93, in another commit");
        }

        @Test
        @DisplayName("A substitute in another activity than that of its award violates I7")
        void ofAnotherAccount() throws SQLException {
            story.winInsteadOf("award:00-2", "00-9", 300, "bob", 0);
            compensate("award:00-9");
            violatedOnly("award:00-9 is won by 300/bob at event 93 instead of award:00-2 of 100/bob");
        }
    }

    @Nested
    @DisplayName("I8: read models are the fold of the events")
    class ReadModelsAreTheFoldOfTheEvents {

        @ParameterizedTest
        @CsvSource({
            "total_count,2",
            "total_used,2",
            "month_count,2",
            "month_used,2",
            "day_count,1",
            "day_used,1",
            "day_draws,1"
        })
        @DisplayName("A wrong count of an account violates I8")
        void violatedByAWrongCount(String column, int right) throws SQLException {
            story.sql("UPDATE view_account SET %s = 9 WHERE user_id = 'ann'".formatted(column));
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry(
                            "I8 view_account",
                            "view_account has %s 9 for 100/ann, the events make it %d".formatted(column, right)));
        }

        @Test
        @DisplayName("A wrong day of the last chance violates I8")
        void violatedByAWrongDay() throws SQLException {
            story.sql("UPDATE view_account SET spent_on = NULL WHERE user_id = 'bob'");
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry(
                            "I8 view_account",
                            "view_account has spent_on nothing for 100/bob, the events make it 2026-12-01"));
        }

        @Test
        @DisplayName("A wrong day of the last draw violates I8")
        void violatedByAWrongDayOfDraws() throws SQLException {
            story.sql("UPDATE view_account SET drawn_on = '2026-11-30' WHERE user_id = 'cat'");
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry(
                            "I8 view_account",
                            "view_account has drawn_on 2026-11-30 for 200/cat, the events make it 2026-12-01"));
        }

        @Test
        @DisplayName("An open order that is forgotten violates I8, and so does a drawn one that is still there")
        void openOrder() throws SQLException {
            story.open(8, "28-5", "2026-12-01", 4);
            story.create("28-5");
            story.claim("participations:200", 4, "order:28-5");
            story.sql("""
                    UPDATE view_account
                    SET total_used = 4, month_used = 3, day_used = 3, open_order_id = 'order:28-5', version = 8
                    WHERE user_id = 'cat'""");
            assertThat(violated(AT_REST)).isEmpty();
            story.sql("UPDATE view_account SET open_order_id = NULL WHERE user_id = 'cat'");
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry(
                            "I8 view_account",
                            "view_account has open_order_id nothing for 200/cat, the events make it order:28-5"));

            story.use(9, "28-5", "2026-12-01");
            story.drawOfCat(1, "28-5");
            story.sql("""
                    UPDATE view_account SET open_order_id = 'order:28-5', day_draws = 4, version = 9
                    WHERE user_id = 'cat'""");
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry(
                            "I8 view_account",
                            "view_account has open_order_id order:28-5 for 200/cat, the events make it nothing"));
        }

        @Test
        @DisplayName("A wrong state of a win violates I8")
        void violatedByAWrongState() throws SQLException {
            story.sql("UPDATE view_win SET state = 'DISPATCHED' WHERE award_record_id = 'award:00-1'");
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry(
                            "I8 view_win", "view_win has state DISPATCHED for award:00-1, the events make it GRANTED"));
        }

        @Test
        @DisplayName("A wrong moment of a win violates I8")
        void violatedByAWrongMoment() throws SQLException {
            story.sql(
                    "UPDATE view_win SET won_at = won_at + interval '1 microsecond' WHERE award_record_id = 'award:33-1'");
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry(
                            "I8 view_win",
                            "view_win has won_at 2026-11-30T04:00:00.123458Z for award:33-1,"
                                    + " the events make it 2026-11-30T04:00:00.123457Z"));
        }

        @ParameterizedTest
        @CsvSource({
            "grant_at,award:17-7,nothing,2999-12-31T16:00:00.123457Z",
            "instead_of,award:17-9,nothing,award:17-1"
        })
        @DisplayName("A missing time violates I8, and so does a missing award that a win makes good for")
        void violatedByAMissingColumn(String column, String win, String found, String right) throws SQLException {
            story.sql("UPDATE view_win SET %s = NULL WHERE award_record_id = '%s'".formatted(column, win));
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry(
                            "I8 view_win",
                            "view_win has %s %s for %s, the events make it %s".formatted(column, found, win, right)));
        }

        @Test
        @DisplayName("A step for an event that leads to no other state violates I8")
        void violatedByAStepThatIsNone() throws SQLException {
            story.sql(
                    "UPDATE view_win SET steps = replace(steps, ', DISPATCHED', ', WON 2026-11-30T04:00:01Z, DISPATCHED')"
                            + " WHERE award_record_id = 'award:17-4'");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry(
                            "I8 view_win",
                            "view_win has steps WON 2026-11-30T04:00:00.123457Z, WON 2026-11-30T04:00:01Z, DISPATCHED"
                                    + " 2026-11-30T04:00:01Z, GRANTED 2026-11-30T04:00:01Z for award:17-4, the events"
                                    + " make it WON 2026-11-30T04:00:00.123457Z, DISPATCHED 2026-11-30T04:00:01Z,"
                                    + " GRANTED 2026-11-30T04:00:01Z"));
        }

        @Test
        @DisplayName("A row that has not seen a release or a claim violates I8 at rest")
        void violatedByARowThatHasNotSeenAClaim() throws SQLException {
            story.answer("dan", "17-6", 1, "award.claimed", "");
            assertThat(violated(AT_REST))
                    .containsEntry("I8 view_win", "view_win has seen events up to 0 of award:17-6, which goes on to 1");
            story.sql("UPDATE view_win SET version = 1 WHERE award_record_id = 'award:17-6'");
            assertThat(violated(IN_FLIGHT)).isEmpty();
            assertThat(violated(AT_REST)).containsOnlyKeys("I6");
        }

        @Test
        @DisplayName("A wrong step violates I8")
        void violatedByAWrongStep() throws SQLException {
            story.sql("UPDATE view_win SET steps = replace(steps, 'REJECTED', 'GRANTED')"
                    + " WHERE award_record_id = 'award:00-2'");
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry(
                            "I8 view_win",
                            "view_win has steps WON 2026-11-30T04:00:00.123457Z, GRANTED 2026-11-30T04:00:01Z, ON_DESK"
                                    + " 2026-11-30T04:00:01Z for award:00-2, the events make it WON"
                                    + " 2026-11-30T04:00:00.123457Z, REJECTED 2026-11-30T04:00:01Z, ON_DESK"
                                    + " 2026-11-30T04:00:01Z"));
        }

        @Test
        @DisplayName("An activity that is described otherwise, however little, violates I8")
        void violatedByAnotherDefinition() throws SQLException {
            story.sql("""
                    UPDATE view_activity SET definition = replace(definition, '2027-11-22', '2027-11-23')
                    WHERE activity_id = 300""");
            assertThat(violated(AT_REST)).containsOnlyKeys("I8 view_activity");
        }

        @Test
        @DisplayName("A commitment that an activity shows otherwise violates I8")
        void violatedByAnotherCommitment() throws SQLException {
            story.sql("UPDATE view_activity SET rounds = replace(rounds, '6668', '6669') WHERE activity_id = 100");
            assertThat(violated(AT_REST)).containsOnlyKeys("I8 view_activity");
        }

        @Test
        @DisplayName("An award that is shown as held, and was not held, violates I8")
        void violatedByAHeldAward() throws SQLException {
            story.sql("UPDATE view_activity SET held_awards = '101' WHERE activity_id = 100");
            assertThat(violated(AT_REST)).containsOnlyKeys("I8 view_activity");
        }

        @Test
        @DisplayName("A wrong state of an activity violates I8")
        void violatedByAWrongActivity() throws SQLException {
            story.sql("UPDATE view_activity SET state = 'CLOSED'");
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry(
                            "I8 view_activity", "view_activity has state CLOSED for 100, the events make it DOING"));
        }

        @Test
        @DisplayName("A decision with another actor, or without a row, violates I8")
        void violatedByAnotherActor() throws SQLException {
            story.sql("UPDATE view_audit SET actor = 'nobody'");
            assertThat(violated(AT_REST)).containsOnlyKeys("I8 view_audit");
            story.sql("DELETE FROM view_audit");
            assertThat(violated(AT_REST)).containsOnlyKeys("I8 view_audit");
        }

        @Test
        @DisplayName("A wrong award violates I8")
        void violatedByAWrongAward() throws SQLException {
            story.sql("UPDATE view_award SET locked_until_draws = 0");
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry(
                            "I8 view_award", "view_award has locked_until_draws 0 for 7/1/102, the events make it 2"));
        }

        @Test
        @DisplayName("The awards of each version keep I8, and an award that a version does not have violates it")
        void newestVersion() throws SQLException {
            story.event("strategy:7", 1, "strategy.revised", """
                    {"strategyId":7,"version":2,"definition":{"awards":[\
                    {"awardId":102,"title":"Opera","type":"TEXT","rate":"0.1","sort":2,"lockedUntilDraws":0,"stock":5}]}}""");
            assertThat(violated(AT_REST)).containsOnlyKeys("I8 view_award");
            story.sql("INSERT INTO view_award VALUES (7, 102, 'Opera', NULL, 'TEXT', 2, 0, 2, 5)");
            assertThat(violated(AT_REST)).isEmpty();
            story.sql("INSERT INTO view_award VALUES (7, 101, 'Coffee', NULL, 'TEXT', 1, 0, 2)");
            assertThat(violated(AT_REST)).containsOnlyKeys("I8 view_award");
        }

        @Test
        @DisplayName("A row that no event made violates I8")
        void violatedByARowThatNoEventMade() throws SQLException {
            story.sql("INSERT INTO view_account VALUES (100, 'zoe', 1, 0, 1, 0, 1, 0, NULL, 0, 1, NULL, NULL, 0)");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry(
                            "I8 view_account",
                            "view_account has a row for 100/zoe up to event 0 of it, which does not exist"));
        }

        @Test
        @DisplayName("A row that is ahead of the events violates I8")
        void violatedByARowThatIsAheadOfTheEvents() throws SQLException {
            story.sql("UPDATE view_account SET version = 7 WHERE user_id = 'ann'");
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry(
                            "I8 view_account",
                            "view_account has a row for 100/ann up to event 7 of it, which does not exist"));
        }

        @Test
        @DisplayName("A row that is missing violates I8 at rest")
        void violatedAtRestByARowThatIsMissing() throws SQLException {
            story.sql("DELETE FROM view_win WHERE award_record_id = 'award:00-2'");
            assertThat(violated(AT_REST)).containsOnly(Map.entry("I8 view_win", "view_win has no row for award:00-2"));
            assertThat(violated(IN_FLIGHT)).isEmpty();
            assertThat(verdict("I8 view_win", IN_FLIGHT).remark()).isEqualTo("1 rows behind");
        }

        @Test
        @DisplayName("A row that lags behind violates I8 at rest")
        void violatedAtRestByARowThatLagsBehind() throws SQLException {
            story.recharge(Story.ANN, 3, "ann", 1, 1, 1);
            assertThat(violated(AT_REST))
                    .containsOnly(Map.entry(
                            "I8 view_account", "view_account has seen events up to 2 of 100/ann, which goes on to 3"));
            assertThat(violated(IN_FLIGHT)).isEmpty();
        }

        @Test
        @DisplayName("A row that lags behind and is not what it has seen violates I8")
        void checksARowThatLagsBehindAgainstTheEventsItHasSeen() throws SQLException {
            story.recharge(Story.ANN, 3, "ann", 1, 1, 1);
            story.sql("UPDATE view_account SET total_count = 3 WHERE user_id = 'ann'");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry(
                            "I8 view_account", "view_account has total_count 3 for 100/ann, the events make it 2"));
        }
    }

    @Nested
    @DisplayName("I8: units, winners and odds")
    class WhatEverybodySees {

        private static final String TEA = ",\"award\":{\"awardId\":201,\"title\":\"Tea\",\"type\":\"TEXT\",\"sort\":1}";

        private int draws = 2;

        private void violatedOnly(CheckMoment moment, String title, String words) throws SQLException {
            assertThat(violated(moment)).containsOnly(Map.entry(title, words));
        }

        private String flaw(String title, CheckMoment moment) throws SQLException {
            return verdict(title, moment).first();
        }

        private void draw(String user, int before, int today, String soldOut, String outcome) throws SQLException {
            draws++;
            String award = outcome.equals("NOTHING") ? "" : TEA;
            String drawn = """
                {"orderId":"order:33-%d","activityId":100,"userId":"%s","strategyId":8,"strategyVersion":1,\
                "drawsBefore":%d,"drawsBeforeToday":%d,"soldOut":[%s],"ticket":"00","outcome":"%s"%s,\
                "drawnAt":"2026-11-30T04:00:00.1234567Z"}""".formatted(draws, user, before, today, soldOut, outcome, award);
            story.event("order:33-" + draws, 0, "raffle.drawn", drawn);
        }

        @ParameterizedTest
        @CsvSource({
            "slot = 2,slot 2,1",
            "number = 103,number 103,102",
            "kind = 'SKU',kind SKU,AWARD",
            "activity_id = 100,activity_id 100,300"
        })
        @DisplayName("A row with another unit violates I8")
        void otherUnit(String change, String found, String right) throws SQLException {
            story.sql("UPDATE view_unit SET %s WHERE holder = 'award:17-5'".formatted(change));
            assertThat(flaw("I8 view_unit", IN_FLIGHT))
                    .isEqualTo("view_unit has %s for award:17-5, the events make it %s".formatted(found, right));
        }

        @Test
        @DisplayName("A unit that nobody has violates I8, and one that is missing or given back does at rest")
        void unitsComeAndGo() throws SQLException {
            story.answer("dan", "17-6", 1, "award.forfeited", "");
            story.sql("INSERT INTO view_unit VALUES ('award:17-6', 300, 'AWARD', 103, 2, 65)");
            assertThat(flaw("I8 view_unit", IN_FLIGHT)).isEmpty();
            assertThat(flaw("I8 view_unit", AT_REST))
                    .isEqualTo("view_unit still has a row for award:17-6, which the events have taken away");
            story.sql("DELETE FROM view_unit WHERE holder IN ('award:17-6', 'award:17-5')");
            assertThat(flaw("I8 view_unit", IN_FLIGHT)).isEmpty();
            assertThat(flaw("I8 view_unit", AT_REST)).isEqualTo("view_unit has no row for award:17-5");
            story.sql("INSERT INTO view_unit VALUES ('award:17-7', 300, 'AWARD', 101, 1, 68)");
            assertThat(flaw("I8 view_unit", IN_FLIGHT))
                    .isEqualTo("view_unit has a row for award:17-7 up to event 68 of it, which does not exist");
        }

        @Test
        @DisplayName("A count that is not that of the rows violates I8 at any time")
        void wrongCount() throws SQLException {
            story.sql("UPDATE view_stock SET taken = taken + 1 WHERE activity_id = 200");
            violatedOnly(IN_FLIGHT, "I8 view_stock", "view_stock has taken 3 for 200/SKU/9002, view_unit has 2");
            story.sql("DELETE FROM view_stock WHERE activity_id = 200");
            violatedOnly(IN_FLIGHT, "I8 view_stock", "view_stock has taken 0 for 200/SKU/9002, view_unit has 2");
        }

        @Test
        @DisplayName("Rows that are missing violate I8 at rest, and a count that is theirs keeps it")
        void countOfMissingRows() throws SQLException {
            story.sql("DELETE FROM view_unit WHERE activity_id = 200");
            assertThat(violated(IN_FLIGHT)).isEmpty();
            violatedOnly(AT_REST, "I8 view_unit", "view_unit has no row for recharge:28-1");
        }

        @ParameterizedTest
        @CsvSource({
            "name = 'bob',name bob,b***",
            "award_id = 101,award_id 101,102",
            "title = 'Opera',title Opera,Cinema",
            "amount = 8,amount 8,8.5",
            "activity_id = 300,activity_id 300,100",
            "won_at = '2026-11-30T04:00:00Z',won_at 2026-11-30T04:00:00.000000Z,2026-11-30T04:00:00.123457Z"
        })
        @DisplayName("A winner who is another one, or is shown to everybody, violates I8")
        void otherWinner(String change, String found, String right) throws SQLException {
            story.sql("UPDATE view_winner SET %s WHERE position = 23".formatted(change));
            violatedOnly(
                    IN_FLIGHT,
                    "I8 view_winner",
                    "view_winner has %s for 23, the events make it %s".formatted(found, right));
        }

        @Test
        @DisplayName("A consolation among the winners violates I8, and a winner who is missing does at rest")
        void news() throws SQLException {
            story.sql("DELETE FROM view_winner WHERE position = 23");
            assertThat(violated(IN_FLIGHT)).isEmpty();
            violatedOnly(AT_REST, "I8 view_winner", "view_winner has no row for 23");
            story.sql("INSERT INTO view_winner VALUES (11, 100, 'a***', 101, 'Coffee', 'TEXT', NULL, now())");
            violatedOnly(
                    IN_FLIGHT,
                    "I8 view_winner",
                    "view_winner has a row for 11 up to event 11 of it, which does not exist");
        }

        @Test
        @DisplayName("The thousand latest winners keep I8, and one more or less violates it at rest")
        void latest() throws SQLException {
            story.sql("""
                    WITH drawn AS (
                        INSERT INTO event (position, event_id, at, sequence, aggregate_id, type, payload, metadata)
                        SELECT 92 + i, gen_random_uuid(), now(), 0, 'order:33-' || i + 2, type,
                               convert_to(convert_from(payload, 'UTF8')::jsonb::text, 'UTF8'), metadata
                        FROM event, generate_series(1, 1000) AS i WHERE position = 23
                        RETURNING position)
                    UPDATE event_head SET position = 1092""");
            assertThat(flaw("I8 view_winner", AT_REST))
                    .isEqualTo("view_winner still has a row for 23, which the events have taken away");
            story.sql("DELETE FROM view_winner WHERE position = 23");
            assertThat(flaw("I8 view_winner", AT_REST)).isEmpty();
            story.sql("DELETE FROM view_winner WHERE position = 93");
            assertThat(flaw("I8 view_winner", AT_REST)).isEqualTo("view_winner has no row for 93");
        }

        @ParameterizedTest
        @CsvSource({"compared,9,4,101", "won,9,1,101", "compared,9,4,0", "won,9,1,0", "compared,9,4,-1", "won,9,0,-1"})
        @DisplayName("A wrong count of draws violates I8")
        void wrongOdds(String column, int found, int right, int award) throws SQLException {
            story.sql("UPDATE view_odds SET %s = %d WHERE activity_id = 100 AND award_id = %d"
                    .formatted(column, found, award));
            violatedOnly(
                    IN_FLIGHT,
                    "I8 view_odds",
                    "view_odds has %s %d for 100/7/1/%d, the events make it %d".formatted(column, found, award, right));
        }

        @Test
        @DisplayName("Counts of what was not to be had violate I8, and counts that are missing do at rest")
        void oddsThatSayNothing() throws SQLException {
            story.sql("INSERT INTO view_odds VALUES (100, 7, 1, 102, 1, 0, 23)");
            violatedOnly(
                    IN_FLIGHT,
                    "I8 view_odds",
                    "view_odds has a row for 100/7/1/102 up to event 23 of it, which does not exist");
            story.sql("DELETE FROM view_odds WHERE activity_id = 100 AND award_id IN (102, 0)");
            violatedOnly(AT_REST, "I8 view_odds", "view_odds has no row for 100/7/1/0");
            assertThat(violated(IN_FLIGHT)).isEmpty();
        }

        @Test
        @DisplayName("Counts without a draw that is parked keep I8 in flight, and violate it at rest")
        void parkedOdds() throws SQLException {
            story.sql("""
                    INSERT INTO parked_event (processor, position, sequence_id, cause, retry_at)
                    VALUES ('odds', 11, 'ann', '', now());
                    UPDATE view_odds SET compared = compared - 1 WHERE activity_id = 100;
                    UPDATE view_odds SET won = won - 1 WHERE activity_id = 100 AND award_id = 101""");
            assertThat(violated(IN_FLIGHT)).isEmpty();
            assertThat(violated(AT_REST)).containsOnlyKeys("I8 view_odds");
        }

        @ParameterizedTest
        @CsvSource({
            "state = 'WAITING',state WAITING,CLOSED",
            "out_business_no = 'b-28-3',out_business_no b-28-3,b-28-2",
            "user_id = 'ann',user_id ann,cat",
            "first_position = 1,first_position 1,73",
            "total = 9,total 9,2",
            "pay_by = NULL,pay_by nothing,2026-11-30T04:10:00.000000Z"
        })
        @DisplayName("A recharge that is another one violates I8")
        void otherRecharge(String change, String found, String right) throws SQLException {
            story.sql("UPDATE view_recharge SET %s WHERE recharge_id = 'recharge:28-2'".formatted(change));
            violatedOnly(
                    IN_FLIGHT,
                    "I8 view_recharge",
                    "view_recharge has %s for recharge:28-2, the events make it %s".formatted(found, right));
        }

        @Test
        @DisplayName("A recharge that nobody made violates I8, and one that is missing does at rest")
        void recharges() throws SQLException {
            story.sql("DELETE FROM view_recharge WHERE recharge_id = 'recharge:28-2'");
            assertThat(violated(IN_FLIGHT)).isEmpty();
            violatedOnly(AT_REST, "I8 view_recharge", "view_recharge has no row for recharge:28-2");
            story.sql("""
                    INSERT INTO view_recharge
                    VALUES ('recharge:28-9', 200, 'cat', 7, 9002, 'b', 'CLOSED', 1, 1, 1, now(), NULL, 7)""");
            assertThat(flaw("I8 view_recharge", IN_FLIGHT))
                    .isEqualTo("view_recharge has a row for recharge:28-9 up to event 7 of it, which does not exist");
        }

        @ParameterizedTest
        @CsvSource({
            "draws,2,1",
            "players,0,1",
            "new_players,0,1",
            "cost,0.01,12.5",
            "free,1,0",
            "recharged,1,0",
            "spent,1,0",
            "returned,1,0"
        })
        @DisplayName("A forged figure violates I8")
        void forgedFigure(String column, String found, String right) throws SQLException {
            story.sql("UPDATE view_figure SET %s = %s WHERE activity_id = 100 AND award_id = 102"
                    .formatted(column, found));
            violatedOnly(
                    IN_FLIGHT,
                    "I8 view_figure",
                    "view_figure has %s %s for 100/2026-11-30/102, the events make it %s"
                            .formatted(column, found, right));
        }

        @Test
        @DisplayName("Figures that are missing violate I8 at rest, and figures of nothing do at any time")
        void missingFigures() throws SQLException {
            story.sql("DELETE FROM view_figure WHERE activity_id = 100 AND award_id = 102");
            assertThat(violated(IN_FLIGHT)).isEmpty();
            violatedOnly(AT_REST, "I8 view_figure", "view_figure has no row for 100/2026-11-30/102");
            story.sql("INSERT INTO view_figure VALUES (100, '2026-12-24', 0, 0, 0, 0, 0, 0, 0, 0, 0, 23)");
            assertThat(flaw("I8 view_figure", IN_FLIGHT))
                    .isEqualTo("view_figure has a row for 100/2026-12-24/0 up to event 23 of it, which does not exist");
        }

        @Test
        @DisplayName("Free chances are in the figures of the day on which they were given")
        void freeChancesInFigures() throws SQLException {
            story.freeChances("account:33:100:ann", 3, "ann", 3, 2, 1);
            assertThat(flaw("I8 view_figure", AT_REST)).isEmpty();
            story.sql("UPDATE view_figure SET free = 2 WHERE free = 3");
            assertThat(flaw("I8 view_figure", AT_REST))
                    .isEqualTo("view_figure has free 2 for 100/2026-11-30/0, the events make it 3");
        }

        @Test
        @DisplayName("Figures without an event that is parked keep I8 in flight, and violate it at rest")
        void parkedFigures() throws SQLException {
            story.sql("""
                    INSERT INTO parked_event (processor, position, sequence_id, cause, retry_at)
                    VALUES ('figures', 11, 'ann', '', now());
                    UPDATE view_figure SET draws = draws - 1, players = players - 1, new_players = new_players - 1
                    WHERE activity_id = 100 AND award_id = 101""");
            assertThat(violated(IN_FLIGHT)).isEmpty();
            assertThat(violated(AT_REST)).containsOnlyKeys("I8 view_figure");
        }

        @ParameterizedTest
        @CsvSource(delimiter = '|', textBlock = """
                # Ann's first draw, with a lock; her third of the day; and one while tea is sold out.
                "mode":"SINGLE",                                                          | -1=3/0@96 201=2/1@95 202=2/0@96 0=1/1@95
                "mode":"SINGLE","fallback":202,                                           | -1=3/0@96 201=2/1@95 202=2/0@96 0=3/1@96
                "mode":"SINGLE","fallback":201,                                           | -1=3/0@96 201=2/1@95 202=2/0@96 0=2/1@95
                "mode":"OVERALL",                                                         | -1=3/0@96 201=2/1@95 202=1/0@95 0=1/1@95
                "mode":"SINGLE","tree":{"root":"lock","nodes":[],"lines":[]},             | -1=3/0@96
                "mode":"SINGLE","blacklist":{"users":["ann"],"awardId":201},              | -1=3/0@96
                "mode":"SINGLE","blacklist":{"users":["bob"],"awardId":201},              | -1=3/0@96 201=2/1@95 202=2/0@96 0=1/1@95
                "mode":"SINGLE","tierMode":"EXACT","tiers":[{"from":1,"awardIds":[201]}], | -1=3/0@96 201=1/0@95 202=2/0@96 0=1/1@95
                "mode":"SINGLE","tierMode":"FLOOR","tiers":[{"from":3,"awardIds":[201]}], | -1=3/0@96 201=1/1@94
                """)
        @DisplayName("Counts of the draws that can be held against the promise, and of no others, keep I8")
        void comparable(String rules, String counts) throws SQLException {
            story.event("strategy:8", 0, "strategy.defined", """
                {"strategyId":8,"version":1,"definition":{%s"awards":[\
                {"awardId":201,"title":"Tea","type":"TEXT","rate":"0.5","sort":1,"lockedUntilDraws":0},\
                {"awardId":202,"title":"Opera","type":"TEXT","rate":"0.1","sort":2,"lockedUntilDraws":2}]}}""".formatted(rules));
            draw("ann", 0, 0, "", "WON");
            draw("ann", 2, 2, "", "NOTHING");
            draw("ann", 3, 3, "201", "FALLBACK");
            assertThat(flaw("I8 view_odds", AT_REST)).startsWith("view_odds has no row for 100/8/1/");
            for (String count : counts.split(" ", -1)) {
                story.sql("INSERT INTO view_odds VALUES (100, 8, 1, %s)".formatted(count.replaceAll("[=/@]", ", ")));
            }
            assertThat(flaw("I8 view_odds", AT_REST)).isEmpty();
        }
    }

    @Nested
    @DisplayName("The checker as a program")
    class TheProgram {

        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        private int run(Map<String, String> environment, String... arguments) {
            return InvariantChecker.run(arguments, environment, new PrintStream(out, true, UTF_8));
        }

        private Map<String, String> environment() {
            return Map.of(
                    "LOTTERY_POSTGRES_URL", database.url(),
                    "LOTTERY_POSTGRES_USER", database.user(),
                    "LOTTERY_POSTGRES_PASSWORD", database.password());
        }

        @Test
        @DisplayName("The program ends with 0 if all invariants hold")
        void endsWith0IfAllHolds() {
            assertThat(run(environment(), "--at-rest")).isZero();
            assertThat(out.toString(UTF_8)).contains("I3 ", "All invariants hold.");
        }

        @Test
        @DisplayName("The program ends with 1 and the first violation of each invariant")
        void endsWith1AndTheFirstViolationOfEachInvariant() throws SQLException {
            story.sql("UPDATE view_account SET day_used = 9");
            assertThat(run(environment())).isEqualTo(1);
            assertThat(out.toString(UTF_8))
                    .contains("first: view_account has day_used 9 for 100/ann, the events make it 1")
                    .contains("NOT ALL INVARIANTS HOLD.");
        }

        @Test
        @DisplayName("The program believes an argument more than the environment")
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
        @DisplayName("The program ends with 2 and says what is missing")
        void endsWith2AndSaysWhatIsMissing() {
            assertThat(run(Map.of())).isEqualTo(2);
            assertThat(out.toString(UTF_8)).startsWith("Neither --url nor LOTTERY_POSTGRES_URL is given.");
        }

        @Test
        @DisplayName("The program ends with 2 if it does not understand an argument")
        void endsWith2IfItDoesNotUnderstand() {
            assertThat(run(environment(), "--at-reest")).isEqualTo(2);
            assertThat(run(environment(), "--speed=high")).isEqualTo(2);
            assertThat(out.toString(UTF_8)).contains("Not understood: --at-reest", "Not understood: --speed");
        }

        @Test
        @DisplayName("The program ends with 2 if the database does not answer")
        void endsWith2IfNobodyAnswers() {
            assertThat(run(environment(), "--url=jdbc:postgresql://localhost:1/none"))
                    .isEqualTo(2);
            assertThat(out.toString(UTF_8)).startsWith("The database could not be read: ");
        }

        @Test
        @DisplayName("The program ends with 2, and not as after a violation, if the check breaks off")
        void breaksOff() throws SQLException {
            story.sql("""
                    UPDATE event SET payload = convert_to(replace(convert_from(payload, 'UTF8'),
                        '2026-11-30T04:00:00.1234567Z', '+1000000000-12-31T23:59:59.9999999Z'), 'UTF8')
                    WHERE aggregate_id = 'award:33-1' AND sequence = 0""");
            assertThat(run(environment())).isEqualTo(2);
            assertThat(out.toString(UTF_8)).contains("The check broke off: ");
        }

        @Test
        @DisplayName("A database in words never contains the password")
        void neverSaysThePassword() {
            assertThat(new CheckedDatabase("jdbc:postgresql://db/lottery?password=secret", "lottery", "secret")
                            .toString())
                    .isEqualTo("lottery at jdbc:postgresql://db/lottery");
        }
    }

    @Nested
    @DisplayName("I1: no more is taken than there is")
    class Stock {

        @Test
        @DisplayName("A unit beyond the stock violates I1")
        void violatedByASlotBeyondTheStock() throws SQLException {
            story.sql("UPDATE claim SET key = '4' WHERE holder = 'order:00-2'");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("I1", "order:00-2 has unit 4 of stock:100/102, of which there were 3"));
        }

        @Test
        @DisplayName("A limited award without a unit violates I1")
        void violatedByALimitedAwardWithoutASlot() throws SQLException {
            story.sql("DELETE FROM claim WHERE holder = 'order:00-2'");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(
                            Map.entry("I1", "order:00-2 takes of stock:100/102 at event 23 and has no unit of it"));
        }

        private void violatedOnly(String words) throws SQLException {
            assertThat(violated(IN_FLIGHT)).containsOnly(Map.entry("I1", words));
        }

        @Test
        @DisplayName("Another unit than the win says violates I1")
        void violatedByAnotherSlotThanTheWinSays() throws SQLException {
            story.sql("UPDATE claim SET key = '2' WHERE holder = 'order:00-2'");
            violatedOnly("order:00-2 has unit 2 of stock:100/102 and its event says unit 3");
        }

        @Test
        @DisplayName("A recharge that waits for its payment keeps I1 with its unit, and violates it without")
        void waitingRecharge() throws SQLException {
            story.order("28-5", 9002, 3);
            story.claim("sku:200/9002", 3, "recharge:28-5");
            assertThat(violated(IN_FLIGHT)).isEmpty();
            story.release("recharge:28-5");
            violatedOnly("recharge:28-5 takes of sku:200/9002 at event 93 and has no unit of it");
        }

        @Test
        @DisplayName("A completed recharge that has lost its unit violates I1")
        void completedRecharge() throws SQLException {
            story.release("recharge:28-3");
            violatedOnly("recharge:28-3 takes of sku:200/9002 at event 76 and has no unit of it");
        }

        @Test
        @DisplayName("The unit of a closed recharge violates I1")
        void closedRecharge() throws SQLException {
            story.claim("sku:200/9002", 3, "recharge:28-2");
            violatedOnly("unit 3 of sku:200/9002 belongs to recharge:28-2, which has nothing of it");
        }

        @Test
        @DisplayName("A unit beyond the stock of a SKU violates I1")
        void skuOversold() throws SQLException {
            story.order("28-5", 9002, 4);
            story.claim("sku:200/9002", 4, "recharge:28-5");
            violatedOnly("recharge:28-5 has unit 4 of sku:200/9002, of which there were 3");
        }

        @Test
        @DisplayName("A recharge that is completed with another unit than it had before violates I1")
        void otherSlot() throws SQLException {
            story.order("28-5", 9002, 3);
            story.claim("sku:200/9002", 3, "recharge:28-5");
            story.added(Story.CAT, 8, "28-5");
            story.complete("28-5", 1, 9002, 2);
            violatedOnly("recharge:28-5 says unit 2 at event 95 and said unit 3 before");
        }

        @Test
        @DisplayName("A unit of a SKU without a limit violates I1")
        void unlimitedSku() throws SQLException {
            story.added(Story.CAT, 8, "28-5");
            story.complete("28-5", 0, 9003, 1);
            violatedOnly("recharge:28-5 has no unit of sku:200/9003 and its event says unit 1");
        }

        @Test
        @DisplayName("A unit that was taken before there was a limit, or of a larger limit, keeps I1")
        void limitsChange() throws SQLException {
            story.event("activity:200", 1, "activity.edited", """
                    {"activityId":200,"definition":{"name":"Autumn","beginsAt":"2026-11-21T04:00:00Z","endsAt":"2027-11-22T04:00:00Z",\
                    "zone":"Asia/Shanghai","strategyId":7,"skus":[\
                    {"sku":9002,"bundle":{"total":2,"month":2,"day":2},"stock":1},\
                    {"sku":9003,"bundle":{"total":2,"month":2,"day":2},"stock":1}]}}""");
            story.recharge(Story.CAT, 8, "cat", 1, 1, 1);
            story.spendOfCat(9, "28-5", "2026-12-01", 0);
            story.drawOfCat(0, "28-5");
            assertThat(violated(IN_FLIGHT)).isEmpty();
            story.added(Story.CAT, 10, "28-5");
            story.complete("28-5", 0, 9003, 0);
            violatedOnly("recharge:28-5 takes of sku:200/9003 at event 99 and has no unit of it");
        }

        @Test
        @DisplayName("More participations than there are violate I1")
        void tooManyParticipations() throws SQLException {
            story.sql("UPDATE claim SET key = '6' WHERE holder = 'order:28-4'");
            violatedOnly("order:28-4 has unit 6 of participations:200, of which there were 5");
        }

        @Test
        @DisplayName("A participation without a unit violates I1")
        void participationWithoutASlot() throws SQLException {
            story.release("order:28-4");
            violatedOnly("order:28-4 takes of participations:200 at event 90 and has no unit of it");
        }

        @Test
        @DisplayName("The participation of an order whose chance was given back violates I1")
        void returnedParticipation() throws SQLException {
            story.claim("participations:200", 4, "order:28-2");
            violatedOnly("unit 4 of participations:200 belongs to order:28-2, which has nothing of it");
        }

        @Test
        @DisplayName("A participation that is lost when its chance makes good for an award violates I1")
        void remediedParticipation() throws SQLException {
            story.release("order:17-2");
            violatedOnly("order:17-2 takes of participations:300 at event 39 and has no unit of it");
        }

        @ParameterizedTest
        @CsvSource({"102,17-1", "102,17-2", "103,17-3"})
        @DisplayName("The unit of an award that was made good for or forfeited violates I1")
        void givenBack(int award, String key) throws SQLException {
            story.claim("stock:300/" + award, 3, "order:" + key);
            violatedOnly("unit 3 of stock:300/%d belongs to order:%s, which has nothing of it".formatted(award, key));
        }

        @ParameterizedTest
        @CsvSource({"102,17-5,57", "103,17-6,63"})
        @DisplayName("An award that was on the desk, or is not claimed, and has lost its unit violates I1")
        void lost(int award, String key, int drawn) throws SQLException {
            story.releaseUnit("order:" + key);
            violatedOnly("order:%s takes of stock:300/%d at event %d and has no unit of it"
                    .formatted(key, award, drawn + 1));
        }

        @Test
        @DisplayName("An award that makes good for another one and has a unit violates I1")
        void substituteWithASlot() throws SQLException {
            story.winInsteadOf("award:00-2", "00-9", 100, "bob", 1);
            story.answer("bob", "00-2", 3, "award.compensated", ",\"by\":\"SUBSTITUTE\",\"substitute\":\"award:00-9\"");
            story.release("order:00-2");
            violatedOnly("award:00-9 is won instead of award:00-2 at event 93 and says unit 1");
        }

        @Test
        @DisplayName("A unit that was not there yet when it was taken violates I1")
        void tooEarly() throws SQLException {
            story.order("28-5", 9002, 4);
            story.claim("sku:200/9002", 4, "recharge:28-5");
            story.event("activity:200", 1, "activity.edited", """
                    {"activityId":200,"definition":{"name":"Autumn","beginsAt":"2026-11-21T04:00:00Z","endsAt":"2027-11-22T04:00:00Z",\
                    "zone":"Asia/Shanghai","strategyId":7,"participationsMax":5,\
                    "skus":[{"sku":9002,"bundle":{"total":2,"month":2,"day":2},"stock":9}]}}""");
            violatedOnly("recharge:28-5 has unit 4 of sku:200/9002, of which there were 3");
        }

        @ParameterizedTest
        @ValueSource(strings = {"01", "-1", "1 ", "1.0", "0", "one", "1234567890"})
        @DisplayName("A unit of another name than its number violates I1")
        void otherName(String slot) throws SQLException {
            story.claim("participations:200", slot, "order:28-9");
            violatedOnly("order:28-9 has unit '%s' of participations:200, which is no number".formatted(slot));
        }

        @Test
        @DisplayName("Two holders of one unit violate the invariant of claims")
        void twoHolders() throws SQLException {
            story.sql("ALTER TABLE claim DROP CONSTRAINT claim_name");
            try {
                story.sql("UPDATE claim SET key = '2' WHERE holder = 'order:28-4'");
                assertThat(violated(IN_FLIGHT))
                        .containsEntry("claims", "2 of participations:200 belongs to order:28-3 and to order:28-4");
            } finally {
                story.forget();
                story.sql("ALTER TABLE claim ADD CONSTRAINT claim_name PRIMARY KEY (scope, key)");
            }
        }

        @Test
        @DisplayName("Two units of one holder violate I1")
        void twoSlots() throws SQLException {
            story.claim("participations:200", 4, "order:28-4");
            violatedOnly("order:28-4 has unit 3 of participations:200 and unit 4 of participations:200");
        }

        @Test
        @DisplayName("A unit of somebody who won something else violates I1")
        void violatedByASlotOfWhoWonSomethingElse() throws SQLException {
            story.sql("INSERT INTO claim VALUES ('stock:100/102', '1', 'order:33-1', 8)");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(
                            Map.entry("I1", "unit 1 of stock:100/102 belongs to order:33-1, which has nothing of it"));
        }
    }
}
