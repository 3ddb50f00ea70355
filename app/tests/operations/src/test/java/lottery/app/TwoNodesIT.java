package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import lottery.app.LotteryProcess.Reply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tests two processes, because requests through a load balancer reach another process each time. */
@DisplayName("Two processes on one database")
class TwoNodesIT {

    private static final int USERS = Integer.getInteger("trial.users", 240);
    private static final int UNITS = USERS / 8;
    private static final int CALLERS = 32;
    private static final Duration SOON = Duration.ofSeconds(30);

    private static final String COFFEE = """
            "mode": "SINGLE", "awards": [
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "1", "sort": 1}]""";

    private static final String FEW_TICKETS = """
            "mode": "SINGLE", "fallback": 1, "awards": [
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.5", "sort": 1},
              {"awardId": 2, "title": "Ticket", "type": "TEXT", "rate": "0.5", "sort": 2, "stock": %d}]""".formatted(UNITS);

    private static final String FIVE_A_DAY = """
            "zone": "%s", "skus": [{"sku": 1, "total": 1000, "month": 1000, "day": 5}]""".formatted(TrialActivity.MIDDAY_ZONE);

    private static final String ONE_CHANCE = """
            "skus": [{"sku": 1, "total": 1, "month": 1, "day": 1}]""";

    private static final String THREE_FREE = """
            "zone": "%s", "free": {"total": 3, "month": 3, "day": 3}""".formatted(TrialActivity.MIDDAY_ZONE);

    /** A telephone for each draw, as long as they are not held. */
    private static final String TELEPHONES = """
            "mode": "SINGLE", "fallback": 1, "awards": [
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.0000001", "sort": 1},
              {"awardId": 2, "title": "Telephone", "type": "TEXT", "rate": "0.9999999", "sort": 2, "stock": 100000}]""";

    private static final String FREE = """
            "free": {"total": 2000, "month": 2000, "day": 2000}""";

    /** One telephone for each user, and coffee for everything else. */
    private static final String ONE_EACH = """
            "mode": "OVERALL", "fallback": 1, "awards": [
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.5", "sort": 1},
              {"awardId": 2, "title": "Telephone", "type": "TEXT", "rate": "0.5", "sort": 2, "maxPerUser": 1}]""";

    private static LotteryProcess here;
    private static LotteryProcess there;

    private final Patience patience = new Patience();

    @BeforeAll
    static void open() throws Exception {
        List<LotteryProcess> both = Crowd.calls(2, 2, _ -> LotteryProcess.open(Servers.environmentOfTrial()));
        here = both.getFirst();
        there = both.getLast();
    }

    @AfterAll
    static void close() {
        here.close();
        there.close();
    }

    private static TrialActivity side(TrialActivity activity, int number) {
        return activity.at(number % 2 == 0 ? here : there);
    }

    private static String order(Reply partaken) {
        return partaken.json().path("orderId").asString();
    }

    @Test
    @DisplayName("One user who draws at both processes gets as much as at one")
    void quota() throws Exception {
        TrialActivity activity = TrialActivity.open(here, COFFEE, FIVE_A_DAY);
        activity.recharge("ann");
        List<Reply> replies = Crowd.calls(
                200, CALLERS, i -> patience.ask(() -> side(activity, i).draw("ann", "draw-" + i)));
        assertThat(replies).filteredOn(reply -> reply.status() == 201).hasSize(5);
        assertThat(replies)
                .filteredOn(reply -> reply.status() != 201)
                .hasSize(195)
                .allMatch(reply -> reply.code().equals("QUOTA_DAY"));
        assertThat(StoredFacts.draws(activity)).isEqualTo(5);
        System.out.printf("both: %d times busy%n", patience.busy());
    }

    @Test
    @DisplayName("A user has the free chances once, however many draws come to both processes at first")
    void freeChances() throws Exception {
        TrialActivity activity = TrialActivity.open(here, COFFEE, THREE_FREE);
        await().atMost(SOON).until(() -> chancesLeft(activity.at(there)) == 3);
        List<Reply> replies = Crowd.calls(
                60, CALLERS, i -> patience.ask(() -> side(activity, i).draw("ann", "draw-" + i)));
        assertThat(replies).filteredOn(reply -> reply.status() == 201).hasSize(3);
        assertThat(replies)
                .filteredOn(reply -> reply.status() != 201)
                .allMatch(reply -> Set.of("QUOTA_TOTAL", "QUOTA_DAY").contains(reply.code()));
        assertThat(StoredFacts.draws(activity)).isEqualTo(3);
        assertThat(StoredFacts.events("account.opened", activity)).isEqualTo(1);
        await().atMost(SOON).until(() -> chancesLeft(activity) == 0);
        assertThat(activity.recharge("ann", "more").code())
                .as("there is no SKU")
                .isEqualTo("NOT_FOUND");
    }

    private static int chancesLeft(TrialActivity activity) {
        return activity.lottery()
                .get(activity.account("ann"))
                .json()
                .path("total")
                .path("left")
                .asInt(-1);
    }

    @Test
    @DisplayName("A user has a SKU as often as one user can, however many recharges come to both processes at once")
    void skuLimit() throws Exception {
        TrialActivity activity = TrialActivity.open(here, COFFEE, """
                "zone": "%s", "skus": [{"sku": 1, "total": 1, "month": 1, "day": 1, "perUser": {"max": 3, "period": "DAY"}}]""".formatted(TrialActivity.MIDDAY_ZONE));
        List<Reply> replies = Crowd.calls(
                40, CALLERS, i -> patience.ask(() -> side(activity, i).recharge("ann", "number-" + i)));
        assertThat(replies).filteredOn(reply -> reply.status() == 201).hasSize(3);
        assertThat(replies)
                .filteredOn(reply -> reply.status() != 201)
                .allMatch(reply -> reply.code().equals("SKU_LIMIT"));
        assertThat(activity.recharge("bob", "number").status()).isEqualTo(201);
    }

    @Test
    @DisplayName("First draws of many users, each sent to both processes at once, are one draw each")
    void firstDraws() throws Exception {
        TrialActivity activity = TrialActivity.open(here, COFFEE, THREE_FREE);
        List<Reply> replies = Crowd.calls(200, CALLERS, i -> {
            String user = "user-" + i / 2;
            return patience.ask(() -> side(activity, i).draw(user, "same"));
        });
        assertThat(replies).allMatch(reply -> reply.status() == 201 || reply.status() == 200);
        assertThat(replies.stream().map(Reply::text).collect(Collectors.toSet()))
                .hasSize(100);
        assertThat(StoredFacts.draws(activity)).isEqualTo(100);
        List<Reply> others = Crowd.calls(200, CALLERS, i -> {
            String user = "other-" + i / 2;
            return patience.ask(() -> side(activity, i).draw(user, "draw-" + i));
        });
        assertThat(others).allMatch(reply -> reply.status() == 201);
        assertThat(StoredFacts.events("account.opened", activity)).isEqualTo(200);
    }

    @Test
    @DisplayName("A user wins one telephone in a thousand draws that come to both processes at once")
    void winLimit() throws Exception {
        TrialActivity activity = TrialActivity.open(here, ONE_EACH, FREE);
        List<Reply> replies = Crowd.calls(
                1_000, CALLERS, i -> patience.ask(() -> side(activity, i).draw("ann", "draw-" + i)));
        assertThat(replies).allMatch(reply -> reply.status() == 201);
        assertThat(replies)
                .filteredOn(reply -> reply.json().path("award").path("awardId").asInt() == 2)
                .hasSize(1);
        assertThat(StoredFacts.wins(activity, 2)).isEqualTo(1);
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(
                                here.get(activity.path("/awards?userId=ann")).text())
                        .contains("\"reached\":true"));
        assertThat(there.get(activity.path("/awards?userId=bob")).text()).doesNotContain("\"reached\":true");
        Reply verified = there.post(activity.path("/verifications"), "");
        assertThat(verified.json().path("agreed").asInt()).as(verified.text()).isEqualTo(1_000);
    }

    @Test
    @DisplayName("A hold at one process ends the wins at both, while both draw, and a pause ends the draws")
    void heldAndPaused() throws Exception {
        TrialActivity activity = TrialActivity.open(here, TELEPHONES, FREE);
        AtomicBoolean isOver = new AtomicBoolean();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Map<Integer, Long>> crowd = threads.submit(() -> drawUntil(isOver, activity));
            try {
                await().atMost(SOON).until(() -> StoredFacts.wins(activity, 2) > 100);
                decide(activity, "/awards/2/hold", "{\"reason\": \"wrong codes\"}");
                assertThat(award(activity, "held")).isEqualTo(1);
                await().atMost(SOON)
                        .until(() -> IntStream.range(0, 20)
                                .allMatch(i -> award(activity.at(there), UUID.randomUUID() + "-" + i) == 1));
                long last = StoredFacts.wins(activity, 2);
                Duration late = StoredFacts.newestDraw(activity, 2, "activity.award-held");
                System.out.printf("the last win began %d ms after the hold%n", late.toMillis());
                assertThat(late).isLessThan(Duration.ofSeconds(5));
                assertThat(award(activity.at(there), "held there")).isEqualTo(1);
                assertThat(StoredFacts.wins(activity, 2)).isEqualTo(last);
                await().atMost(SOON)
                        .untilAsserted(() -> assertThat(there.get(activity.path("/awards?userId=ann"))
                                        .text())
                                .contains("\"held\":true"));
                decide(activity.at(there), "/awards/2/release", "{\"reason\": \"right codes\"}");
                await().atMost(SOON).until(() -> StoredFacts.wins(activity, 2) > last + 100);
                decide(activity.at(there), "/transitions", "{\"action\": \"pause\"}");
                await().atMost(SOON)
                        .until(() -> activity.draw("ann", UUID.randomUUID().toString())
                                .code()
                                .equals("ACTIVITY_PAUSED"));
            } finally {
                isOver.set(true);
            }
            assertThat(crowd.get(30, TimeUnit.SECONDS).keySet())
                    .contains(201, 409)
                    .isSubsetOf(201, 409, 503);
        }
        long made = StoredFacts.draws(activity);
        assertThat(patience.ask(() -> activity.at(there).draw("ann", "paused")).code())
                .isEqualTo("ACTIVITY_PAUSED");
        assertThat(StoredFacts.draws(activity)).isEqualTo(made);
        Reply verified = there.post(activity.path("/verifications"), "");
        assertThat(verified.json().path("agreed").asLong()).as(verified.text()).isEqualTo(made);
    }

    /** Draws at both processes until it is over, and counts the answers by their status. */
    private static Map<Integer, Long> drawUntil(AtomicBoolean isOver, TrialActivity activity) throws Exception {
        Map<Integer, Long> statuses = new ConcurrentHashMap<>();
        Crowd.calls(8, 8, i -> {
            for (int draw = 0; !isOver.get(); draw++) {
                int status = side(activity, i).draw("user-" + i, "draw-" + draw).status();
                statuses.merge(status, 1L, Long::sum);
            }
            return i;
        });
        return statuses;
    }

    /** Draws once, and returns the award. */
    private static int award(TrialActivity activity, String key) {
        Reply drawn = Patience.created(() -> activity.draw("ann", key));
        return drawn.json().path("award").path("awardId").asInt();
    }

    private static void decide(TrialActivity activity, String path, String body) {
        Reply decided = new Patience().ask(() -> activity.lottery().post(activity.path(path), body));
        assertThat(decided.status()).as(decided.text()).isEqualTo(200);
    }

    @Test
    @DisplayName("One request that comes to both processes at once is one draw")
    void oneKey() throws Exception {
        TrialActivity activity = TrialActivity.open(here, COFFEE, FIVE_A_DAY);
        activity.recharge("ann");
        List<Reply> replies =
                Crowd.calls(50, 50, i -> patience.ask(() -> side(activity, i).draw("ann", "same")));
        assertThat(replies).allMatch(reply -> reply.status() == 201 || reply.status() == 200);
        assertThat(replies.stream().map(Reply::text).collect(Collectors.toSet()))
                .hasSize(1);
        assertThat(StoredFacts.draws(activity)).isEqualTo(1);
    }

    @Test
    @DisplayName("One user has one open order at both processes")
    void oneOrder() throws Exception {
        TrialActivity activity = TrialActivity.open(here, COFFEE, FIVE_A_DAY);
        activity.recharge("ann");
        List<Reply> replies = Crowd.calls(
                40, CALLERS, i -> patience.ask(() -> side(activity, i).partake("ann")));
        assertThat(replies).allMatch(reply -> reply.status() == 201 || reply.status() == 200);
        Set<String> orders = replies.stream().map(TwoNodesIT::order).collect(Collectors.toSet());
        assertThat(orders).hasSize(1);
    }

    @Test
    @DisplayName("Both processes know of each other's orders at once")
    void orderOfTheOther() {
        TrialActivity activity = TrialActivity.open(here, COFFEE, FIVE_A_DAY);
        TrialActivity other = activity.at(there);
        activity.recharge("ann");
        String first = order(other.partake("ann"));
        assertThat(activity.cancel(first).status()).isEqualTo(200);
        String second = order(other.partake("ann"));
        assertThat(second).isNotEqualTo(first);
        assertThat(activity.drawOrder(second).status()).isEqualTo(201);
        assertThat(other.drawOrder(second).code()).isEqualTo("ORDER_USED");
        assertThat(order(other.partake("ann"))).isNotIn(first, second);
    }

    @Test
    @DisplayName("A process honours at once what was recharged at the other")
    void recharged() {
        TrialActivity activity = TrialActivity.open(here, COFFEE, ONE_CHANCE);
        TrialActivity other = activity.at(there);
        for (int i = 0; i < 20; i++) {
            int number = i;
            assertThat(patience.ask(() -> other.draw("ann", "early-" + number)).code())
                    .isEqualTo("QUOTA_TOTAL");
            Patience.created(() -> activity.recharge("ann", "number-" + number));
            Patience.created(() -> other.draw("ann", "draw-" + number));
        }
    }

    @Test
    @DisplayName("A process shows what was written at the other to a reader who asks after its position")
    void readYourWrites() {
        TrialActivity activity = TrialActivity.open(here, COFFEE, FIVE_A_DAY);
        TrialActivity other = activity.at(there);
        for (int i = 0; i < 20; i++) {
            int number = i;
            TrialActivity writing = side(activity, i);
            Patience.created(() -> writing.recharge("ann", "number-" + number));
            Reply draw = Patience.created(() ->
                    number < 5 ? writing.draw("ann", "draw-" + number) : writing.recharge("ann", "more-" + number));
            String after = "?after=" + draw.headers().getFirst("Lottery-Position");
            for (TrialActivity reading : List.of(activity, other)) {
                Reply chances = read(reading, after);
                assertThat(chances.status()).as(chances.text()).isEqualTo(200);
                assertThat(chances.json().path("total").path("used").asInt()).isEqualTo(Math.min(i + 1, 5));
                assertThat(read(reading, "/awards" + after).json().path("items").size())
                        .isEqualTo(Math.min(i + 1, 5));
            }
        }
    }

    /** Reads an account of Ann. A read model that is late answers 503. */
    private Reply read(TrialActivity activity, String below) {
        return patience.ask(() -> activity.lottery().get(activity.account("ann") + below));
    }

    @Test
    @DisplayName("Both processes together give all units of a limited award, each once")
    void sharedStock() throws Exception {
        TrialActivity activity = TrialActivity.open(here, FEW_TICKETS, FIVE_A_DAY);
        Crowd.calls(USERS, CALLERS, i -> {
            activity.recharge("user-" + i);
            return i;
        });
        List<Reply> replies = Crowd.calls(
                USERS, CALLERS, i -> patience.ask(() -> side(activity, i).draw("user-" + i, "draw")));
        System.out.printf("shared stock: %d draws, %d times busy%n", replies.size(), patience.busy());
        assertThat(replies).allMatch(reply -> reply.status() == 201);
        assertThat(replies)
                .filteredOn(reply ->
                        reply.json().path("award").path("title").asString("").equals("Ticket"))
                .hasSize(UNITS);
        assertThat(StoredFacts.wins(activity, 2)).isEqualTo(UNITS);
        assertThat(StoredFacts.taken(activity, "award:%d/2")).isEqualTo(UNITS);
    }
}
