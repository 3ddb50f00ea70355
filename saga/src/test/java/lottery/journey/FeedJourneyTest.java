package lottery.journey;

import static java.nio.charset.StandardCharsets.UTF_8;
import static lottery.journey.TopicReader.headersOf;
import static lottery.journey.TopicReader.textOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import lottery.api.AggregateId;
import lottery.api.Event;
import lottery.api.UserId;
import lottery.api.account.AccountEvent.AccountRecharged;
import lottery.api.account.AccountEvent.ChanceReturned;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountEvent.OpenOrderUsed;
import lottery.api.account.AccountId;
import lottery.api.account.RechargeId;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityEvent.ActivityClosed;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.activity.ActivityEvent.SeedPublished;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ChanceBundle;
import lottery.api.award.AwardEvent.AwardCompensated;
import lottery.api.award.AwardEvent.AwardDispatched;
import lottery.api.award.AwardEvent.AwardForfeited;
import lottery.api.award.AwardEvent.AwardGrantRejected;
import lottery.api.award.AwardEvent.AwardGranted;
import lottery.api.award.AwardEvent.AwardLeftToDesk;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.raffle.Outcome;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleEvent.RaffleOrderCancelled;
import lottery.api.raffle.RaffleEvent.RaffleOrderCreated;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.Request;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.Remedy;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyEvent.StrategyDefined;
import lottery.api.strategy.StrategyId;
import lottery.messaging.KafkaTopics;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.axonframework.config.EventProcessingConfiguration;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventhandling.StreamingEventProcessor;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.context.TestConstructor;

@SpringBootTest
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@DisplayName("The public feed over a real broker and a real database")
class FeedJourneyTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Instant NOON = Instant.parse("2026-11-21T04:00:00.123456Z");
    private static final LocalDate TODAY = LocalDate.parse("2026-11-21");

    /** Is later than any test's clock. */
    private static final Instant BEGIN = Instant.parse("2090-01-01T00:00:00Z");

    private static final AtomicLong IDS = new AtomicLong(4_700);

    private final EventStore events;
    private final UnsteadyPublisher post;
    private final JdbcClient database;
    private final StreamingEventProcessor feed;
    private final NewTopic topic;
    private final String servers;
    private final KafkaConsumer<String, byte[]> consumer;
    private final List<ConsumerRecord<String, byte[]>> read = new ArrayList<>();
    private final Map<String, Long> sequences = new HashMap<>();
    private final ActivityId activity = new ActivityId(IDS.incrementAndGet());

    private UserId user = new UserId("nobody");

    FeedJourneyTest(
            EventStore events,
            UnsteadyPublisher post,
            JdbcClient database,
            EventProcessingConfiguration processing,
            NewTopic topic,
            Environment settings) {
        this.events = events;
        this.post = post;
        this.database = database;
        this.feed =
                processing.eventProcessor("feed", StreamingEventProcessor.class).orElseThrow();
        this.topic = topic;
        this.servers = settings.getRequiredProperty("spring.kafka.bootstrap-servers");
        this.consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers, "auto.offset.reset", "earliest"),
                new StringDeserializer(),
                new ByteArrayDeserializer());
    }

    /** Gives each test its own users and activity: all tests share one store and one broker. */
    @BeforeEach
    void readFromTheBeginning(TestInfo test) {
        user = new UserId(test.getTestMethod().orElseThrow().getName());
        List<TopicPartition> partitions = consumer.partitionsFor(KafkaTopics.EVENTS, LIMIT).stream()
                .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    @AfterEach
    void leaveAllAsItWas() throws Exception {
        consumer.close();
        post.comeBack(KafkaTopics.EVENTS);
        change("max.message.bytes", "1048588");
    }

    private AccountId account(UserId of) {
        return new AccountId(activity, of);
    }

    private RaffleOrderId order(UserId of, String key) {
        return Request.of(account(of), key).id();
    }

    private DomainEventMessage<?> happen(AggregateId to, Event event) {
        long sequence = sequences.merge(to.text(), 0L, (before, ignored) -> before + 1);
        DomainEventMessage<?> happened = new GenericDomainEventMessage<>("thing", to.text(), sequence, event, Map.of());
        events.publish(happened);
        return happened;
    }

    /** Stores a small event about a user. */
    private String spend(UserId of, String key) {
        return happen(account(of), new ChanceSpent(activity, of, order(of, key), TODAY, false, null))
                .getIdentifier();
    }

    private AwardWon won(AwardRecordId id, String title) {
        return new AwardWon(
                id,
                activity,
                user,
                new Prize(101, title, AwardType.CREDIT, 1, new BigDecimal("8.80")),
                17,
                Map.of("secret", "of fulfilment"),
                // No other command is sent for this award.
                new GrantTime(GrantTime.Timing.MANUAL, null),
                Remedy.MANUAL,
                null,
                NOON,
                null);
    }

    private AwardWon wonAndGranted(AwardRecordId id) {
        AwardWon won = won(id, "Coffee");
        return new AwardWon(
                id,
                activity,
                user,
                won.award(),
                null,
                won.config(),
                GrantTime.AT_ONCE,
                Remedy.MANUAL,
                null,
                NOON,
                "text:" + id.key());
    }

    private List<ConsumerRecord<String, byte[]>> readOf(String key) {
        consumer.poll(Duration.ofMillis(100)).forEach(read::add);
        return read.stream().filter(record -> key.equals(record.key())).toList();
    }

    private List<ConsumerRecord<String, byte[]>> awaitAbout(String key, int count) {
        await(count + " about " + key).atMost(LIMIT).until(() -> readOf(key).size() >= count);
        return readOf(key);
    }

    /** Returns the messages that a reader sees which skips copies. */
    private List<String> newsOf(String key) {
        return readOf(key).stream()
                .map(record -> header(record, "ce_id"))
                .distinct()
                .toList();
    }

    private void awaitNews(String key, List<String> ids) {
        await("the news of " + key)
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(newsOf(key)).hasSameSizeAs(ids));
        assertThat(newsOf(key)).isEqualTo(ids);
    }

    private static String header(ConsumerRecord<String, byte[]> record, String name) {
        return headersOf(record).getOrDefault(name, "");
    }

    private int parked() {
        return database.sql("SELECT count(*) FROM parked_event WHERE processor = 'feed'")
                .query(Integer.class)
                .single();
    }

    private Admin admin() {
        return Admin.create(Map.<String, Object>of("bootstrap.servers", servers));
    }

    private void change(String setting, String value) throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, KafkaTopics.EVENTS);
        try (Admin admin = admin()) {
            admin.incrementalAlterConfigs(Map.of(
                            resource,
                            List.of(new AlterConfigOp(new ConfigEntry(setting, value), AlterConfigOp.OpType.SET))))
                    .all()
                    .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private String settingOf(String name) throws Exception {
        return settingOf(name, KafkaTopics.EVENTS);
    }

    private String settingOf(String name, String topic) throws Exception {
        ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
        try (Admin admin = admin()) {
            return admin.describeConfigs(List.of(resource))
                    .all()
                    .get(LIMIT.toSeconds(), TimeUnit.SECONDS)
                    .getOrDefault(resource, new Config(List.of()))
                    .get(name)
                    .value();
        }
    }

    @Test
    @DisplayName("An award that is granted with its win gives a win first and then a grant.")
    void grantedWithTheWin() {
        AwardRecordId record = AwardRecordId.of(order(user, "order"));
        String id = happen(record, wonAndGranted(record)).getIdentifier();
        String next = spend(user, "next");

        List<ConsumerRecord<String, byte[]>> messages = awaitAbout(user.value(), 3);

        assertThat(messages).extracting(message -> header(message, "ce_id")).containsExactly(id, id + "/1", next);
        assertThat(messages)
                .extracting(message -> header(message, "ce_type"))
                .startsWith("lottery.award.won.v1", "lottery.award.granted.v1");
        assertThat(header(messages.getFirst(), "ce_sequence")).isEqualTo(header(messages.get(1), "ce_sequence"));
    }

    @Test
    @DisplayName("All events of a user are published in order, under their ids.")
    void userNews() {
        RaffleOrderId order = order(user, "order");
        AwardRecordId record = AwardRecordId.of(order);
        RechargeId recharge = RechargeId.of("recharge:" + order.key());
        List<DomainEventMessage<?>> told = new ArrayList<>();
        told.add(happen(account(user), new AccountRecharged(activity, user, recharge, new ChanceBundle(10, 5, 2))));
        told.add(happen(account(user), new ChanceSpent(activity, user, order, TODAY, true, 17)));
        told.add(happen(order, new RaffleOrderCreated(order, activity, user, NOON)));
        told.add(happen(order, new RaffleOrderCancelled(order, user, NOON)));
        told.add(happen(account(user), new ChanceReturned(activity, user, order, TODAY)));
        happen(account(user), new OpenOrderUsed(activity, user, order, TODAY));
        Prize prize = won(record, "Coffee").award();
        told.add(happen(
                order,
                new RaffleDrawn(
                        order,
                        activity,
                        user,
                        new StrategyId(7),
                        1,
                        1,
                        0,
                        0,
                        List.of(),
                        null,
                        null,
                        "ab".repeat(32),
                        Outcome.WON,
                        prize,
                        NOON)));
        told.add(happen(record, won(record, "Coffee")));
        told.add(happen(record, new AwardDispatched(record, user)));
        told.add(happen(record, new AwardGrantRejected(record, user, "receipt", "no stock")));
        told.add(happen(record, new AwardLeftToDesk(record, user, "nobody knows")));
        told.add(happen(record, new AwardCompensated(record, user, Remedy.RETURN_CHANCE, null)));
        told.add(happen(record, new AwardForfeited(record, user, null)));
        told.add(happen(record, new AwardGranted(record, user, "receipt")));

        List<ConsumerRecord<String, byte[]>> messages = awaitAbout(user.value(), told.size());

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
                .isEqualTo("{\"awardRecordId\":\"" + record.text() + "\",\"activityId\":" + activity.value()
                        + ",\"userId\":\"userNews\",\"award\":{\"awardId\":101,\"title\":\"Coffee\",\"type\":\"CREDIT\","
                        + "\"amount\":\"8.80\"},\"wonAt\":\"2026-11-21T04:00:00.123456Z\"}");
    }

    @Test
    @DisplayName("The progress of an activity is published with its dates, under its number.")
    void activityNews() {
        happen(
                activity,
                new ActivityCreated(
                        activity,
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
        List<String> told = Stream.of(
                        happen(activity, new ActivityStarted(activity, 1, "commitment", "k1:sealed", null)),
                        happen(activity, new ActivityClosed(activity)),
                        happen(activity, new SeedPublished(activity, 1, "seed")))
                .<String>map(DomainEventMessage::getIdentifier)
                .toList();

        String key = Long.toString(activity.value());
        List<ConsumerRecord<String, byte[]>> messages = awaitAbout(key, 3);

        assertThat(messages).extracting(message -> header(message, "ce_id")).isEqualTo(told);
        String activity = "\"activityId\":" + key + ",\"name\":\"Spring\",\"beginsAt\":\"2090-01-01T00:00:00Z\","
                + "\"endsAt\":\"2090-01-01T00:01:00Z\",\"zone\":\"Z\",\"round\":1,\"commitment\":\"commitment\"";
        assertThat(messages)
                .extracting(TopicReader::textOf)
                .containsExactly(
                        "{" + activity + "}",
                        "{" + activity + "}",
                        "{\"activityId\":" + key + ",\"round\":1,\"seed\":\"seed\"}");
    }

    @Test
    @DisplayName("The feed waits for a broker that is away: nothing is parked, lost or out of order.")
    void brokerAway() {
        UserId other = new UserId(user.value() + "-other");
        List<String> before = List.of(spend(user, "before"));
        awaitNews(user.value(), before);
        post.leave(KafkaTopics.EVENTS);
        List<String> ids = new ArrayList<>(before);
        List<String> ofOther = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ids.add(spend(user, "away-" + i));
            ofOther.add(spend(other, "away-" + i));
        }
        await("more attempts than an event has that fails by itself")
                .atMost(LIMIT)
                .until(() -> post.refusedSinceAway(KafkaTopics.EVENTS) > 9);
        assertThat(parked()).isZero();
        assertThat(newsOf(user.value())).isEqualTo(before);
        post.comeBack(KafkaTopics.EVENTS);
        ids.add(spend(user, "after"));

        awaitNews(user.value(), ids);
        awaitNews(other.value(), ofOther);
        assertThat(parked()).isZero();
    }

    @Test
    @DisplayName("The feed waits for a topic that was deleted, until it exists again.")
    void brokerWithoutTopic() throws Exception {
        List<UserId> users = IntStream.range(0, 3)
                .mapToObj(i -> new UserId(user.value() + "-" + i))
                .toList();
        Map<UserId, List<String>> ids = new HashMap<>();
        users.forEach(each -> ids.put(each, new ArrayList<>()));
        try (Admin admin = admin()) {
            admin.deleteTopics(List.of(KafkaTopics.EVENTS)).all().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            for (int i = 0; i < 60; i++) {
                UserId one = users.get(i % 3);
                ids.getOrDefault(one, new ArrayList<>()).add(spend(one, "chance-" + i));
            }
            await("the feed stands").atMost(LIMIT).until(feed::isError);
            admin.createTopics(List.of(topic)).all().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        }

        for (UserId each : users) {
            awaitNews(each.value(), ids.getOrDefault(each, List.of()));
        }
        await("the feed is well").atMost(LIMIT).until(() -> !feed.isError());
        assertThat(parked()).isZero();
    }

    @Test
    @DisplayName("After a crash the same messages are published again, with the same content and the same ids.")
    void crashed() throws Exception {
        List<String> ids = List.of(spend(user, "one"), spend(user, "two"), spend(user, "three"));
        List<ConsumerRecord<String, byte[]>> first = awaitAbout(user.value(), 3);
        await("the token").atMost(LIMIT).until(() -> tokenOf() >= Long.parseLong(header(first.get(2), "ce_sequence")));

        feed.shutdownAsync().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(database.sql("UPDATE token SET token = to_jsonb(?::bigint) WHERE processor = 'feed'")
                        .param(Long.parseLong(header(first.getFirst(), "ce_sequence")) - 1)
                        .update())
                .isPositive();
        feed.start();

        List<ConsumerRecord<String, byte[]>> all = awaitAbout(user.value(), 6);
        assertThat(all)
                .extracting(message -> header(message, "ce_id"))
                .containsExactlyElementsOf(
                        Stream.of(ids, ids).flatMap(List::stream).toList());
        for (int i = 0; i < 3; i++) {
            assertThat(headersOf(all.get(i + 3))).isEqualTo(headersOf(all.get(i)));
            assertThat(textOf(all.get(i + 3))).isEqualTo(textOf(all.get(i)));
        }
    }

    private long tokenOf() {
        return database.sql("SELECT token::text::bigint FROM token WHERE processor = 'feed'")
                .query(Long.class)
                .single();
    }

    /** Lets a user win a unit of the award 101, with the events that a draw writes. */
    private AwardRecordId win(String key, StrategyId strategy, int unit) {
        RaffleOrderId order = order(user, key);
        AwardRecordId record = AwardRecordId.of(order);
        AwardWon won = won(record, "Coffee");
        happen(
                order,
                new RaffleDrawn(
                        order,
                        activity,
                        user,
                        strategy,
                        1,
                        1,
                        0,
                        0,
                        List.of(),
                        null,
                        null,
                        "ab".repeat(32),
                        Outcome.WON,
                        won.award(),
                        NOON));
        happen(
                record,
                new AwardWon(
                        record,
                        activity,
                        user,
                        won.award(),
                        unit,
                        won.config(),
                        won.grant(),
                        won.onFailure(),
                        null,
                        NOON,
                        null));
        return record;
    }

    private static StrategyDefined fourUnits(StrategyId strategy) {
        return new StrategyDefined(
                strategy,
                1,
                StrategyDefinition.of(
                        StrategyDefinition.Mode.SINGLE,
                        List.of(new AwardDefinition(
                                101,
                                "Coffee",
                                null,
                                AwardType.CREDIT,
                                Map.of(),
                                null,
                                BigDecimal.ONE,
                                4,
                                1,
                                0,
                                GrantTime.AT_ONCE,
                                Remedy.MANUAL,
                                null,
                                null)),
                        null));
    }

    @Test
    @DisplayName("Each step of an award's stock is told once, through outages, returned units and a second telling.")
    void stock() throws Exception {
        StrategyId strategy = new StrategyId(activity.value());
        happen(strategy, fourUnits(strategy));
        win("one", strategy, 3);
        AwardRecordId lost = win("two", strategy, 1);
        post.leave(KafkaTopics.EVENTS);
        happen(lost, new AwardForfeited(lost, user, null));
        win("three", strategy, 4);
        win("four", strategy, 2);
        await("an attempt without a broker").atMost(LIMIT).until(() -> post.refusedSinceAway(KafkaTopics.EVENTS) > 1);
        post.comeBack(KafkaTopics.EVENTS);
        win("five", strategy, 1);

        String key = Long.toString(activity.value());
        String prefix = activity.value() + "/101/4";
        List<String> told = List.of(
                "stock:" + prefix + "/75",
                "stock:" + prefix + "/50",
                "stock:" + prefix + "/25",
                "stock:" + prefix + "/0",
                "sold-out:" + prefix);
        awaitNews(key, told);
        assertThat(textOf(awaitAbout(key, 5).getFirst()))
                .isEqualTo("{\"activityId\":" + key
                        + ",\"awardId\":101,\"title\":\"Coffee\",\"stock\":4,\"left\":3,\"percent\":75}");

        int before = readOf(key).size();
        feed.shutdownAsync().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        database.sql("DELETE FROM token WHERE processor = 'feed'").update();
        feed.start();
        awaitAbout(key, before + told.size());
        awaitNews(user.value() + "-end", List.of(spend(new UserId(user.value() + "-end"), "end")));
        assertThat(newsOf(key)).isEqualTo(told);
    }

    @Test
    @DisplayName("A replay does not publish the feed again.")
    void noReplay() throws Exception {
        assertThat(feed.supportsReset()).isFalse();
        feed.shutdownAsync().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        try {
            assertThatIllegalStateException().isThrownBy(feed::resetTokens).withMessageContaining("cannot begin anew");
        } finally {
            feed.start();
        }
        List<String> ids = List.of(spend(user, "later"));
        awaitNews(user.value(), ids);
    }

    @Test
    @DisplayName("The feed begins with new events only, if an operator follows the steps on its page.")
    void fromNowOn() throws Exception {
        String page = Files.readString(Path.of("../docs/events.md"));
        Matcher statement = Pattern.compile("INSERT INTO token [^`]*").matcher(page);
        assertThat(statement.find()).isTrue();
        feed.shutdownAsync().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        database.sql("DELETE FROM token WHERE processor = 'feed'").update();
        spend(user, "before");
        assertThat(database.sql(statement.group()).update()).isEqualTo(1);
        feed.start();

        awaitNews(user.value(), List.of(spend(user, "after")));
    }

    @Test
    @DisplayName(
            "A message that the broker never takes is parked with those behind it, and other users' messages go on.")
    void tooLarge() throws Exception {
        AwardRecordId record = AwardRecordId.of(order(user, "large"));
        UserId other = new UserId(user.value() + "-other");
        change("max.message.bytes", "2000");
        List<String> ids = List.of(
                happen(record, won(record, "x".repeat(5_000))).getIdentifier(),
                happen(record, new AwardDispatched(record, user)).getIdentifier());
        List<String> ofOther = List.of(spend(other, "one"), spend(other, "two"));

        awaitNews(other.value(), ofOther);
        await("put aside").atMost(LIMIT).until(() -> parked() == 2);
        assertThat(newsOf(user.value())).isEmpty();

        change("max.message.bytes", "1048588");
        database.sql("UPDATE parked_event SET retry_at = now() WHERE processor = 'feed'")
                .update();
        awaitNews(user.value(), ids);
        await("nothing is aside").atMost(LIMIT).until(() -> parked() == 0);
        happen(record, new AwardForfeited(record, user, null));
    }

    @Test
    @DisplayName("The topic keeps messages for a month, and the operator can change that.")
    void retention() throws Exception {
        assertThat(settingOf("retention.ms"))
                .isEqualTo(Long.toString(Duration.ofDays(30).toMillis()));
        assertThat(settingOf("cleanup.policy")).isEqualTo("delete");
    }

    @Test
    @DisplayName("The topics that may have addresses keep messages for a week, in segments of a day.")
    void retentionOfAddresses() throws Exception {
        for (String topic : List.of(KafkaTopics.INVOICE, KafkaTopics.INVOICE + KafkaTopics.DEAD_LETTER_SUFFIX)) {
            assertThat(settingOf("retention.ms", topic))
                    .isEqualTo(Long.toString(Duration.ofDays(7).toMillis()));
            assertThat(settingOf("segment.ms", topic))
                    .isEqualTo(Long.toString(Duration.ofDays(1).toMillis()));
        }
    }

    @Test
    @DisplayName("The program on the page handles each message once, also when it is killed and reads some again.")
    void program(@TempDir Path folder) throws Exception {
        PageProgram program = PageProgram.compiledIn(folder, servers);
        List<String> ids = new ArrayList<>();
        Process running = program.start();
        try {
            ids.addAll(IntStream.range(0, 5)
                    .mapToObj(i -> spend(user, "first-" + i))
                    .toList());
            await("the first five").atMost(LIMIT).until(() -> seenBy(program).containsAll(ids));
        } finally {
            running.destroyForcibly().waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
        List<ConsumerRecord<String, byte[]>> told = awaitAbout(user.value(), 5);
        feed.shutdownAsync().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        database.sql("UPDATE token SET token = to_jsonb(?::bigint) WHERE processor = 'feed'")
                .param(Long.parseLong(header(told.getFirst(), "ce_sequence")) - 1)
                .update();
        feed.start();
        awaitAbout(user.value(), 10);
        ids.add(spend(user, "last"));

        Process again = program.start();
        try {
            await("the last one").atMost(LIMIT).until(() -> seenBy(program).contains(ids.getLast()));
        } finally {
            again.destroyForcibly().waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
        assertThat(seenBy(program)).filteredOn(ids::contains).isEqualTo(ids);
        assertThat(seenBy(program)).doesNotHaveDuplicates();
    }

    private static List<String> seenBy(PageProgram program) throws Exception {
        Path book = program.book();
        return Files.exists(book)
                ? Files.readAllLines(book, UTF_8).stream()
                        .map(line -> line.split(" ", 2)[0])
                        .toList()
                : List.of();
    }
}
