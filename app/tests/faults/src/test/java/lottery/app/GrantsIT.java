package lottery.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import lottery.app.ExternalFulfilment.Habit;
import lottery.app.LotteryProcess.Reply;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.web.client.ResourceAccessException;

/**
 * Tests awards on their way to a receiver while the lottery is killed at random moments. The receiver answers twice,
 * late, out of order, against itself, with rubbish or not at all.
 *
 * <p>{@code -Dtrial.rounds=50} makes so many kills. With more than usual, the receiver also loses first invoices, and
 * the next one comes after a minute.
 */
@Tag("turn-2")
@DisplayName("Awards from a lottery that is killed to a receiver with odd habits")
class GrantsIT {

    private static final int ROUNDS_USUAL = 1;
    private static final int ROUNDS = Integer.getInteger("trial.rounds", ROUNDS_USUAL);
    private static final long SEED = Long.getLong("trial.seed", new Random().nextLong());
    private static final int CALLERS = 8;

    /** Draws before a kill: enough for some rejections, also on a slow machine. */
    private static final int DRAWS_PER_ROUND_MIN = 100;

    private static final Duration DRAWN_MAX = Duration.ofMinutes(2);
    private static final Duration LOAD_MIN = Duration.ofMillis(200);
    private static final Duration LOAD_MAX = Duration.ofSeconds(2);
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String ANSWERS_GROUP = "lottery-answers";
    private static final String ANSWERS = "lottery_fulfilment";

    private static final String RULES = """
            "mode": "SINGLE", "fallback": 1, "awards": [
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.4", "sort": 1, "onFailure": "MANUAL"},
              {"awardId": 2, "title": "Cinema", "type": "TEXT", "rate": "0.3", "sort": 2, "stock": 100000,
               "onFailure": "SUBSTITUTE"},
              {"awardId": 3, "title": "Car", "type": "TEXT", "rate": "0.3", "sort": 3, "stock": 100000,
               "onFailure": "RETURN_CHANCE"}]""";

    private static final String CHANCES = """
            "skus": [{"sku": 1, "total": 100000, "month": 100000, "day": 100000}]""";

    private final Random random = new Random(SEED);
    private final AtomicInteger draws = new AtomicInteger();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final String servers = Servers.property("lottery.kafka.servers");

    @Test
    @DisplayName("Each award is handed over once, compensated, or with a person: none is lost or granted twice")
    void killed() throws Exception {
        System.out.printf("grants: -Dtrial.rounds=%d -Dtrial.seed=%d%n", ROUNDS, SEED);
        LotteryProcess lottery = LotteryProcess.open(environment());
        ExternalFulfilment receiver = ExternalFulfilment.open(servers, "receiver-" + SEED, habits(), SEED);
        try {
            TrialActivity activity = TrialActivity.open(lottery, RULES, CHANCES);
            for (int i = 0; i < CALLERS; i++) {
                activity.recharge("user-" + i);
            }
            for (int round = 0; round < ROUNDS; round++) {
                play(activity);
                lottery = LotteryProcess.open(environment());
                activity = activity.at(lottery);
            }
            receiver.speak();
            awaitAllGone(activity, receiver);
            StoredFacts.awaitSound();
            requireWhatTheReceiverKnows(activity, receiver);
            requireDeadLetters(receiver);
            lottery.close();
            lottery = tellEverythingAgain(activity);
        } finally {
            receiver.close();
            lottery.close();
        }
        assertThat(receiver.failure()).isNull();
    }

    private static List<Habit> habits() {
        List<Habit> habits = new ArrayList<>(List.of(Habit.values()));
        if (ROUNDS <= ROUNDS_USUAL) {
            habits.remove(Habit.NOT_THE_FIRST);
        }
        return habits;
    }

    private static Map<String, String> environment() throws Exception {
        Map<String, String> environment = new LinkedHashMap<>(Servers.environmentOfTrial());
        environment.put("LOTTERY_FULFILMENT_ENABLED", "false");
        return environment;
    }

    /** Lets users draw, and kills the lottery. */
    private void play(TrialActivity activity) throws InterruptedException {
        int before = draws.get();
        try (ExecutorService users = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CALLERS; i++) {
                String user = "user-" + i;
                users.execute(() -> drawUntilKilled(activity, user));
            }
            try {
                await().atMost(DRAWN_MAX)
                        .pollInterval(Duration.ofMillis(10))
                        .until(() -> draws.get() > before + DRAWS_PER_ROUND_MIN);
                LockSupport.parkNanos(random.nextLong(LOAD_MIN.toNanos(), LOAD_MAX.toNanos()));
            } finally {
                activity.lottery().kill();
            }
            users.shutdown();
            assertThat(users.awaitTermination(SOON.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }
        assertThat(wrong).isEmpty();
    }

    private void drawUntilKilled(TrialActivity activity, String user) {
        try {
            while (true) {
                Reply reply = activity.draw(user, "draw-" + draws.incrementAndGet());
                if (reply.status() != 201 && reply.status() != 503) {
                    wrong.add(reply.text());
                }
            }
        } catch (ResourceAccessException killed) {
            // Nothing was promised.
        }
    }

    /** Waits until the receiver has had an invoice for each win, also for substitutes that are won meanwhile. */
    private static void awaitAllGone(TrialActivity activity, ExternalFulfilment receiver) {
        await().atMost(Duration.ofMinutes(3))
                .pollInterval(Duration.ofMillis(500))
                .untilAsserted(() -> {
                    assertThat(receiver.failure()).isNull();
                    assertThat(receiver.handedOver().keySet()).containsAll(StoredFacts.awardRecords(activity));
                });
    }

    private static void requireWhatTheReceiverKnows(TrialActivity activity, ExternalFulfilment receiver) {
        Set<String> won = StoredFacts.awardRecords(activity);
        Set<String> granted = answered(won, receiver, true);
        Set<String> rejected = answered(won, receiver, false);
        assertThat(StoredFacts.awardRecords(activity, "award.granted"))
                .as("granted, each once")
                .containsExactlyInAnyOrderElementsOf(granted);
        assertThat(StoredFacts.awardRecords(activity, "award.grant-rejected"))
                .as("rejected, each once")
                .containsExactlyInAnyOrderElementsOf(rejected);
        List<String> madeGood = new ArrayList<>(StoredFacts.awardRecords(activity, "award.compensated"));
        madeGood.addAll(StoredFacts.awardRecords(activity, "award.left-to-desk"));
        assertThat(madeGood).as("compensated or on the desk, each once").containsExactlyInAnyOrderElementsOf(rejected);
        System.out.printf(
                "grants: %d wins, %d granted, %d rejected, %d invoices came again, %d letters were rubbish%n",
                won.size(),
                granted.size(),
                rejected.size(),
                receiver.repeated(),
                receiver.rubbish().size());
        assertThat(granted).isNotEmpty();
        assertThat(rejected).isNotEmpty();
        assertThat(receiver.rubbish()).isNotEmpty();
    }

    private static Set<String> answered(Set<String> won, ExternalFulfilment receiver, boolean granting) {
        return receiver.handedOver().entrySet().stream()
                .filter(each -> won.contains(each.getKey()) && each.getValue().isGranting() == granting)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Requires that all messages without sense are dead letters with a cause, and no others. */
    private void requireDeadLetters(ExternalFulfilment receiver) {
        Map<String, String> causes = new HashMap<>();
        try (KafkaConsumer<String, byte[]> dead = new KafkaConsumer<>(
                ExternalFulfilment.settings(servers, Map.of("auto.offset.reset", "earliest")),
                new StringDeserializer(),
                new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = dead.partitionsFor(ANSWERS + "_dlt").stream()
                    .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                    .toList();
            dead.assign(partitions);
            dead.seekToBeginning(partitions);
            await().atMost(SOON).untilAsserted(() -> {
                for (ConsumerRecord<String, byte[]> deadLetter : dead.poll(Duration.ofMillis(200))) {
                    header(deadLetter, "number")
                            .ifPresent(number -> causes.put(
                                    number, header(deadLetter, "lottery_cause").orElse("")));
                }
                assertThat(causes.keySet()).containsAll(receiver.rubbish());
            });
        }
        assertThat(causes).containsOnlyKeys(receiver.rubbish()).doesNotContainValue("");
        System.out.println("grants: causes of dead letters: " + new HashSet<>(causes.values()));
    }

    private static Optional<String> header(ConsumerRecord<?, ?> deadLetter, String name) {
        return Optional.ofNullable(deadLetter.headers().lastHeader(name))
                .map(header -> new String(header.value(), UTF_8))
                .filter(text -> !text.isEmpty());
    }

    /**
     * Sets the offsets back to the earliest, as an operator can, and requires that nothing happens to any award again.
     */
    private LotteryProcess tellEverythingAgain(TrialActivity activity) throws Exception {
        Map<TopicPartition, Long> ends;
        long head = StoredFacts.head();
        try (Admin admin = Admin.create(ExternalFulfilment.settings(servers, Map.of()))) {
            ends = ends(admin);
            admin.alterConsumerGroupOffsets(
                            ANSWERS_GROUP,
                            ends.keySet().stream()
                                    .collect(Collectors.toMap(each -> each, each -> new OffsetAndMetadata(0))))
                    .all()
                    .get(30, TimeUnit.SECONDS);
            LotteryProcess lottery = LotteryProcess.open(environment());
            await().atMost(Duration.ofMinutes(2))
                    .pollInterval(Duration.ofMillis(500))
                    .until(() -> isRead(admin, ends));
            assertThat(StoredFacts.head()).as("no event is new").isEqualTo(head);
            requireNoneTwice(activity);
            return lottery;
        }
    }

    private static Map<TopicPartition, Long> ends(Admin admin) throws Exception {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        admin.describeTopics(List.of(ANSWERS)).allTopicNames().get(30, TimeUnit.SECONDS).values().stream()
                .flatMap(topic -> topic.partitions().stream())
                .forEach(partition ->
                        latest.put(new TopicPartition(ANSWERS, partition.partition()), OffsetSpec.latest()));
        Map<TopicPartition, Long> ends = new HashMap<>();
        Map<TopicPartition, ListOffsetsResultInfo> found =
                admin.listOffsets(latest).all().get(30, TimeUnit.SECONDS);
        found.forEach((partition, info) -> ends.put(partition, info.offset()));
        return ends;
    }

    private static boolean isRead(Admin admin, Map<TopicPartition, Long> ends) throws Exception {
        Map<TopicPartition, OffsetAndMetadata> read = admin.listConsumerGroupOffsets(ANSWERS_GROUP)
                .partitionsToOffsetAndMetadata()
                .get(30, TimeUnit.SECONDS);
        return ends.entrySet().stream()
                .allMatch(end -> end.getValue() == 0
                        || (read.get(end.getKey()) != null
                                && read.get(end.getKey()).offset() >= end.getValue()));
    }

    private static void requireNoneTwice(TrialActivity activity) {
        assertThat(StoredFacts.awardRecords(activity, "award.granted")).doesNotHaveDuplicates();
        assertThat(StoredFacts.awardRecords(activity, "award.compensated")).doesNotHaveDuplicates();
    }
}
