package lottery.saga;

import static lottery.saga.FeedFixture.NOON;
import static lottery.saga.FeedFixture.TODAY;
import static lottery.saga.FeedFixture.header;
import static lottery.saga.TopicReader.headersOf;
import static lottery.saga.TopicReader.textOf;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import lottery.api.account.AccountEvent.AccountRecharged;
import lottery.api.account.AccountEvent.ChanceReturned;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountEvent.OpenOrderUsed;
import lottery.api.account.RechargeId;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityEvent.ActivityClosed;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivityPassed;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.activity.ActivityEvent.SeedPublished;
import lottery.api.activity.ChanceBundle;
import lottery.api.award.AwardEvent.AwardCompensated;
import lottery.api.award.AwardEvent.AwardDispatched;
import lottery.api.award.AwardEvent.AwardForfeited;
import lottery.api.award.AwardEvent.AwardGrantRejected;
import lottery.api.award.AwardEvent.AwardGranted;
import lottery.api.award.AwardEvent.AwardLeftToDesk;
import lottery.api.award.AwardRecordId;
import lottery.api.raffle.Outcome;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleEvent.RaffleOrderCancelled;
import lottery.api.raffle.RaffleEvent.RaffleOrderCreated;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.strategy.Remedy;
import lottery.api.strategy.StrategyId;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.axonframework.eventhandling.DomainEventMessage;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.TestConstructor;

@SpringBootTest
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@DisplayName("The feed publishes all events of a user and of an activity in order.")
class FeedOrderTest {

    /** Is later than any test's clock. */
    private static final Instant BEGIN = Instant.parse("2090-01-01T00:00:00Z");

    @AutoClose
    private final FeedFixture feed;

    FeedOrderTest(FeedFixture feed) {
        this.feed = feed;
    }

    @Test
    @DisplayName("An award that is granted with its win gives a win first and then a grant.")
    void grantedWithTheWin() {
        AwardRecordId record = AwardRecordId.of(feed.order(feed.user, "order"));
        String id = feed.happen(record, feed.wonAndGranted(record)).getIdentifier();
        String next = feed.spend(feed.user, "next");

        List<ConsumerRecord<String, byte[]>> messages = feed.awaitAbout(feed.user.value(), 3);

        assertThat(messages).extracting(message -> header(message, "ce_id")).containsExactly(id, id + "/1", next);
        assertThat(messages)
                .extracting(message -> header(message, "ce_type"))
                .startsWith("lottery.award.won.v1", "lottery.award.granted.v1");
        assertThat(header(messages.getFirst(), "ce_sequence")).isEqualTo(header(messages.get(1), "ce_sequence"));
    }

    @Test
    @DisplayName("All events of a user are published in order, under their ids.")
    void userNews() {
        RaffleOrderId order = feed.order(feed.user, "order");
        AwardRecordId record = AwardRecordId.of(order);
        RechargeId recharge = RechargeId.of("recharge:" + order.key());
        List<DomainEventMessage<?>> told = new ArrayList<>();
        told.add(feed.happen(
                feed.account(feed.user),
                new AccountRecharged(feed.activity, feed.user, recharge, new ChanceBundle(10, 5, 2))));
        told.add(feed.happen(
                feed.account(feed.user), new ChanceSpent(feed.activity, feed.user, order, TODAY, true, true)));
        told.add(feed.happen(order, new RaffleOrderCreated(order, feed.activity, feed.user, NOON)));
        told.add(feed.happen(order, new RaffleOrderCancelled(order, feed.user, NOON)));
        told.add(feed.happen(feed.account(feed.user), new ChanceReturned(feed.activity, feed.user, order, TODAY)));
        feed.happen(feed.account(feed.user), new OpenOrderUsed(feed.activity, feed.user, order, TODAY));
        Prize prize = feed.won(record, "Coffee").award();
        told.add(feed.happen(
                order,
                new RaffleDrawn(
                        order,
                        feed.activity,
                        feed.user,
                        new StrategyId(7),
                        1,
                        1,
                        0,
                        0,
                        List.of(),
                        null,
                        null,
                        null,
                        "ab".repeat(32),
                        Outcome.WON,
                        prize,
                        NOON)));
        told.add(feed.happen(record, feed.won(record, "Coffee")));
        told.add(feed.happen(record, new AwardDispatched(record, feed.user)));
        told.add(feed.happen(record, new AwardGrantRejected(record, feed.user, "receipt", "no stock")));
        told.add(feed.happen(record, new AwardLeftToDesk(record, feed.user, "nobody knows")));
        told.add(feed.happen(record, new AwardCompensated(record, feed.user, Remedy.RETURN_CHANCE, null)));
        told.add(feed.happen(record, new AwardForfeited(record, feed.user, feed.activity)));
        told.add(feed.happen(record, new AwardGranted(record, feed.user, "receipt")));

        List<ConsumerRecord<String, byte[]>> messages = feed.awaitAbout(feed.user.value(), told.size());

        assertThat(messages)
                .extracting(message -> header(message, "ce_id"))
                .containsExactlyElementsOf(
                        told.stream().map(DomainEventMessage::getIdentifier).toList());
        assertThat(messages)
                .extracting(message -> header(message, "ce_type"))
                .containsExactly(
                        "lottery.account.recharged.v1",
                        "lottery.account.chance-spent.v1",
                        "lottery.raffle.order-created.v1",
                        "lottery.raffle.order-cancelled.v1",
                        "lottery.account.chance-returned.v1",
                        "lottery.raffle.drawn.v1",
                        "lottery.award.won.v1",
                        "lottery.award.dispatched.v1",
                        "lottery.award.rejected.v1",
                        "lottery.award.left-to-desk.v1",
                        "lottery.award.compensated.v1",
                        "lottery.award.forfeited.v1",
                        "lottery.award.granted.v1");
        assertThat(messages)
                .extracting(message -> header(message, "ce_sequence"))
                .isSorted()
                .doesNotHaveDuplicates();
        assertThat(headersOf(messages.get(6)))
                .containsAllEntriesOf(Map.of(
                        "ce_specversion", "1.0",
                        "ce_source", "/lottery/feed",
                        "ce_subject", record.text(),
                        "content-type", "application/json"))
                .containsKey("ce_time");
        assertThat(textOf(messages.get(6)))
                .isEqualTo("{\"awardRecordId\":\"" + record.text() + "\",\"activityId\":" + feed.activity.value()
                        + ",\"userId\":\"" + feed.user.value()
                        + "\",\"award\":{\"awardId\":101,\"title\":\"Coffee\",\"type\":\"CREDIT\","
                        + "\"amount\":\"8.80\"},\"wonAt\":\"2026-11-21T04:00:00.123456Z\"}");
    }

    @Test
    @DisplayName("The progress of an activity is published with its dates, under its number.")
    void activityNews() {
        feed.happen(
                feed.activity,
                new ActivityCreated(
                        feed.activity,
                        new ActivityDefinition(
                                "Spring",
                                null,
                                BEGIN,
                                BEGIN.plusSeconds(60),
                                ZoneOffset.UTC,
                                new StrategyId(7),
                                null,
                                null,
                                null,
                                List.of())));
        feed.happen(feed.activity, new ActivityPassed(feed.activity, 1, "hash of 1"));
        List<String> told = Stream.of(
                        feed.happen(
                                feed.activity,
                                new ActivityStarted(feed.activity, 1, "commitment", "k1:sealed", "bound to 1")),
                        feed.happen(feed.activity, new ActivityClosed(feed.activity)),
                        feed.happen(feed.activity, new SeedPublished(feed.activity, 1, "seed")))
                .<String>map(DomainEventMessage::getIdentifier)
                .toList();

        String key = Long.toString(feed.activity.value());
        List<ConsumerRecord<String, byte[]>> messages = feed.awaitAbout(key, 3);

        assertThat(messages).extracting(message -> header(message, "ce_id")).isEqualTo(told);
        String shared = "\"activityId\":" + key + ",\"name\":\"Spring\",\"beginsAt\":\"2090-01-01T00:00:00Z\","
                + "\"endsAt\":\"2090-01-01T00:01:00Z\",\"zone\":\"Z\",\"round\":1,\"commitment\":\"commitment\"";
        assertThat(messages)
                .extracting(TopicReader::textOf)
                .containsExactly(
                        "{" + shared
                                + ",\"strategyVersion\":1,\"strategyHash\":\"hash of 1\",\"roundCommitment\":\"bound to 1\"}",
                        "{" + shared + "}",
                        "{\"activityId\":" + key + ",\"round\":1,\"seed\":\"seed\"}");
    }
}
