package lottery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import lottery.Http.Response;
import lottery.api.AggregateId;
import lottery.api.UserId;
import lottery.api.account.AccountEvent.ChanceReturned;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.RaffleEvent.RaffleOrderCancelled;
import lottery.api.raffle.RaffleEvent.RaffleOrderCreated;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleRequestIdentity;
import org.axonframework.common.lock.LockFactory;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

/** An account, its order, the award and the answer to the request are separate aggregates, stored in one commit. */
@DisplayName("The account and its orders")
@SpringBootTest(classes = TestLottery.class, webEnvironment = WebEnvironment.RANDOM_PORT)
class OneCommitTest {

    private static final String COFFEE = """
            "mode": "SINGLE", "awards": [{"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "1", "sort": 1}]""";

    private static final String CHANCE_SPENT = "account.chance-spent";
    private static final String DRAWN = "raffle.drawn";
    private static final String WON = "award.won";
    private static final String ANSWERED = "raffle.request-answered";

    /** One lock serves as many callers within a second, also on a slow machine. */
    private static final int CALLERS = 8;

    private static final int ROUNDS = 12;

    private static final UserId USER = new UserId("ann");

    private final JdbcClient database;
    private final EventStore log;
    private final WatchedLocks locks;
    private final WatchedReads reads;
    private final TestActivity activity;

    @Autowired
    OneCommitTest(
            @LocalServerPort int port,
            JdbcClient database,
            EventStore log,
            LockFactory aggregateLocks,
            WatchedReads reads) {
        this.database = database;
        this.log = log;
        this.reads = reads;
        this.locks = (WatchedLocks) aggregateLocks;
        this.activity = TestActivity.open(new Http(port), COFFEE);
    }

    @BeforeEach
    void recharge() {
        activity.recharge("ann");
        locks.reset();
    }

    private String partake(String key) {
        return activity.partake("ann", key).json().get("orderId").asString();
    }

    private long head() {
        return database.sql("SELECT position FROM event_head").query(Long.class).single();
    }

    /** Returns the types of the events that a request stores, in the order of the log. */
    private List<@Nullable String> stored(Supplier<Response> request) {
        long before = head();
        Response answer = request.get();
        assertThat(answer.status()).as(answer.text()).isLessThan(300);
        return database.sql("SELECT type FROM event_readable WHERE position > ? ORDER BY position")
                .param(before)
                .query(String.class)
                .list();
    }

    @Test
    @DisplayName("A draw stores the chance, the draw and the award, in this order.")
    void draw() {
        assertThat(stored(() -> activity.draw("ann", "key"))).containsExactly(CHANCE_SPENT, DRAWN, WON);
        assertThat(database.sql("SELECT payload ->> 'grantReference' = replace(aggregate_id, 'award:', 'text:')"
                                + " FROM event_readable WHERE position = ?")
                        .param(head())
                        .query(Boolean.class)
                        .single())
                .as("the award needs no fulfilment, and is granted")
                .isTrue();
    }

    @Test
    @DisplayName("Several draws store each chance before its draw, and the answer to the request last.")
    void severalDraws() {
        assertThat(stored(() -> activity.draw("ann", "{\"count\": 2}", "key")))
                .containsExactly(CHANCE_SPENT, DRAWN, WON, CHANCE_SPENT, DRAWN, WON, ANSWERED);
    }

    @Test
    @DisplayName("Partaking stores the chance before the order.")
    void partake() {
        assertThat(stored(() -> activity.partake("ann", "take"))).containsExactly(CHANCE_SPENT, "raffle.order-created");
    }

    @Test
    @DisplayName("An open order is drawn with the same events in the same order, whichever request asks for it.")
    void drawOfAnOpenOrder() {
        String order = partake("take");
        assertThat(stored(() -> activity.drawOrder(order, "key")))
                .containsExactly("account.order-used", DRAWN, WON, ANSWERED);
        partake("take again");
        assertThat(stored(() -> activity.draw("ann", "another key")))
                .containsExactly("account.order-used", DRAWN, WON, ANSWERED);
    }

    @Test
    @DisplayName("A cancellation stores the returned chance, the end of the order and the answer, in this order.")
    void cancellation() {
        String order = partake("take");
        assertThat(stored(() -> activity.cancel(order, "key")))
                .containsExactly("account.chance-returned", "raffle.order-cancelled", ANSWERED);
    }

    private AccountId account() {
        return new AccountId(new ActivityId(activity.id), USER);
    }

    private void storeElsewhere(String type, AggregateId id, Object event) {
        long sequence = log.lastSequenceNumberFor(id.text()).orElse(-1L) + 1;
        log.publish(new GenericDomainEventMessage<>(type, id.text(), sequence, event));
    }

    @Test
    @DisplayName("An order that another node has just created is drawn here, although the account in memory is older.")
    void createdElsewhere() {
        assertThat(activity.draw("ann", "key").status()).isEqualTo(201);
        ActivityId activityId = account().activityId();
        RaffleOrderId order = RaffleRequestIdentity.of(account(), "elsewhere").id();
        LocalDate today = LocalDate.now(ZoneId.of("Asia/Shanghai"));
        storeElsewhere("account", account(), new ChanceSpent(activityId, USER, order, today, true, false));
        storeElsewhere("order", order, new RaffleOrderCreated(order, activityId, USER, Instant.now()));
        assertThat(activity.drawOrder(order.text()).status()).isEqualTo(201);
    }

    @Test
    @DisplayName("An order that another node has just cancelled is not drawn here, by whichever request.")
    void cancelledElsewhere() {
        RaffleOrderId order = RaffleOrderId.of(partake("take"));
        LocalDate today = LocalDate.now(ZoneId.of("Asia/Shanghai"));
        storeElsewhere("account", account(), new ChanceReturned(account().activityId(), USER, order, today));
        storeElsewhere("order", order, new RaffleOrderCancelled(order, USER, Instant.now()));
        assertThat(activity.drawOrder(order.text()).json().get("code").asString())
                .isEqualTo("ORDER_CANCELLED");
        Response draw = activity.draw("ann", "key");
        assertThat(draw.status()).as(draw.text()).isEqualTo(201);
        assertThat(draw.json().get("orderId").asString()).isNotEqualTo(order.text());
    }

    @Test
    @DisplayName("A draw reads no stream, because its account is in memory and its order begins with it.")
    void readsOfADraw() {
        assertThat(reads.during(() -> activity.draw("ann", "key"))).isEmpty();
        assertThat(reads.during(() -> activity.draw("ann", "{\"count\": 3}", "three")))
                .isEmpty();
        assertThat(reads.during(() -> partake("take"))).isEmpty();
    }

    @Test
    @DisplayName("A draw that uses the open order reads the stream of that order once.")
    void readsOfADrawWithAnOpenOrder() {
        String order = partake("take");
        assertThat(reads.during(() -> activity.draw("ann", "key"))).containsExactly(order);
    }

    @Test
    @DisplayName(
            "A command to an order reads its stream twice, and a refusal also asks for the version of the account.")
    void readsOfACommandToAnOrder() {
        String order = partake("take");
        assertThat(reads.during(() -> activity.drawOrder(order, "key"))).containsExactly(order, order);
        assertThat(reads.during(() -> activity.cancel(order)))
                .containsExactly(order, order, account().text());
        String another = partake("take again");
        assertThat(reads.during(() -> activity.cancel(another, "off"))).containsExactly(another, another);
    }

    @Test
    @DisplayName("Commands to an order lock its account first, and hold no lock when they are done.")
    void accountFirst() {
        String order = partake("take");
        assertThat(activity.drawOrder(order).status()).isEqualTo(201);
        assertThat(activity.cancel(partake("take again")).status()).isEqualTo(200);
        assertThat(activity.draw("ann", "key").status()).isEqualTo(201);
        assertThat(locks.orderBeforeAccount()).isZero();
        assertThat(locks.heldNow()).isZero();
    }

    @Test
    @DisplayName(
            "Draws, draws of the open order and cancellations of one user at once never wait for each other in vain.")
    void nobodyWaitsInVain() {
        // The first call of each kind is slow, and would keep others waiting.
        activity.drawOrder(partake("first-to-draw"));
        activity.cancel(partake("first-to-cancel"));
        activity.draw("ann", "first-draw");
        locks.reset();
        List<List<Response>> answers = IntStream.range(0, ROUNDS)
                .mapToObj(round -> atOnce(round, partake("take-" + round)))
                .toList();
        Map<Integer, Long> byStatus = answers.stream()
                .flatMap(List::stream)
                .collect(Collectors.groupingBy(Response::status, Collectors.counting()));
        System.out.printf(
                "at once: %s, longest wait for a lock %d ms%n",
                byStatus, locks.longestWait().toMillis());
        assertThat(byStatus).doesNotContainKey(503);
        assertThat(locks.orderBeforeAccount()).isZero();
        assertThat(locks.waitedInVain()).isZero();
        assertThat(locks.heldNow()).isZero();
        assertThat(database.sql("SELECT count(*) FROM (SELECT aggregate_id FROM event_readable"
                                + " WHERE type IN ('raffle.drawn', 'raffle.order-cancelled')"
                                + " GROUP BY aggregate_id HAVING count(*) > 1) AS ended_twice")
                        .query(Long.class)
                        .single())
                .isZero();
    }

    private List<Response> atOnce(int round, String order) {
        try {
            return TestActivity.inParallel(CALLERS, caller -> switch (caller % 4) {
                case 0 -> activity.drawOrder(order);
                case 1 -> activity.cancel(order);
                case 2 -> activity.draw("ann", "draw-%d-%d".formatted(round, caller));
                default -> activity.partake("ann", "more-%d-%d".formatted(round, caller));
            });
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
