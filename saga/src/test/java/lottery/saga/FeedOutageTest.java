package lottery.saga;

import static lottery.saga.FeedFixture.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import lottery.api.UserId;
import lottery.api.award.AwardEvent.AwardDispatched;
import lottery.api.award.AwardEvent.AwardForfeited;
import lottery.api.award.AwardRecordId;
import lottery.messaging.KafkaTopics;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.TestConstructor;

@SpringBootTest
@Tag("trial")
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@DisplayName("The feed loses nothing while its broker is away or takes no message.")
class FeedOutageTest {

    @AutoClose
    private final FeedFixture feed;

    FeedOutageTest(FeedFixture feed) {
        this.feed = feed;
    }

    @Test
    @DisplayName("The feed waits for a broker that is away: nothing is parked, lost or out of order.")
    void brokerAway() {
        UserId other = new UserId(feed.user.value() + "-other");
        List<String> before = List.of(feed.spend(feed.user, "before"));
        feed.awaitNews(feed.user.value(), before);
        feed.publisher.leave(KafkaTopics.EVENTS);
        List<String> ids = new ArrayList<>(before);
        List<String> ofOther = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ids.add(feed.spend(feed.user, "away-" + i));
            ofOther.add(feed.spend(other, "away-" + i));
        }
        await("more attempts than an event has that fails by itself")
                .atMost(LIMIT)
                .until(() -> feed.publisher.refusedSinceAway(KafkaTopics.EVENTS) > 9);
        assertThat(feed.parked()).isZero();
        assertThat(feed.newsOf(feed.user.value())).isEqualTo(before);
        feed.publisher.comeBack(KafkaTopics.EVENTS);
        ids.add(feed.spend(feed.user, "after"));

        feed.awaitNews(feed.user.value(), ids);
        feed.awaitNews(other.value(), ofOther);
        assertThat(feed.parked()).isZero();
    }

    @Test
    @DisplayName("The feed waits for a topic that was deleted, until it exists again.")
    void brokerWithoutTopic() throws Exception {
        List<UserId> users = IntStream.range(0, 3)
                .mapToObj(i -> new UserId(feed.user.value() + "-" + i))
                .toList();
        Map<UserId, List<String>> ids = new HashMap<>();
        users.forEach(each -> ids.put(each, new ArrayList<>()));
        try (Admin admin = feed.admin()) {
            admin.deleteTopics(List.of(KafkaTopics.EVENTS)).all().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            // The broker deletes the topic a little later than the controller, with the messages that come meanwhile.
            await("the broker has deleted the topic")
                    .atMost(LIMIT)
                    .until(() ->
                            !admin.listTopics().names().get(1, TimeUnit.MINUTES).contains(KafkaTopics.EVENTS));
            for (int i = 0; i < 60; i++) {
                UserId one = users.get(i % 3);
                ids.getOrDefault(one, new ArrayList<>()).add(feed.spend(one, "chance-" + i));
            }
            await("the feed stands").atMost(LIMIT).until(feed.processor::isError);
            admin.createTopics(List.of(feed.topic)).all().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        }

        for (UserId each : users) {
            feed.awaitNews(each.value(), ids.getOrDefault(each, List.of()));
        }
        await("the feed is well").atMost(LIMIT).until(() -> !feed.processor.isError());
        assertThat(feed.parked()).isZero();
    }

    @Test
    @DisplayName(
            "A message that the broker never takes is parked with those behind it, and other users' messages go on.")
    void tooLarge() {
        AwardRecordId record = AwardRecordId.of(feed.order(feed.user, "large"));
        UserId other = new UserId(feed.user.value() + "-other");
        feed.change("max.message.bytes", "2000");
        List<String> ids = List.of(
                feed.happen(record, feed.won(record, "x".repeat(5_000))).getIdentifier(),
                feed.happen(record, new AwardDispatched(record, feed.user)).getIdentifier());
        List<String> ofOther = List.of(feed.spend(other, "one"), feed.spend(other, "two"));

        feed.awaitNews(other.value(), ofOther);
        await("put aside").atMost(LIMIT).until(() -> feed.parked() == 2);
        assertThat(feed.newsOf(feed.user.value())).isEmpty();

        feed.change("max.message.bytes", "1048588");
        feed.database
                .sql("UPDATE parked_event SET retry_at = now() WHERE processor = 'feed'")
                .update();
        feed.awaitNews(feed.user.value(), ids);
        await("nothing is aside").atMost(LIMIT).until(() -> feed.parked() == 0);
        feed.happen(record, new AwardForfeited(record, feed.user, feed.activity));
    }
}
