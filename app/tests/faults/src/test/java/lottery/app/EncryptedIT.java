package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import lottery.app.LotteryProcess.Reply;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the settings of TLS and of logins that docs/operations/security.md names, with real certificates and real
 * servers.
 */
@Tag("turn-2")
@DisplayName("A lottery whose servers ask for TLS and passwords")
class EncryptedIT {

    private static final Path DATA = LotteryProcess.FOLDER.resolve("servers-encrypted");
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final Duration OTHERS_MAX = Duration.ofMinutes(10);

    private static final String REDIS_PASSWORD = "password-of-redis";
    private static final String KAFKA_PASSWORD = "password-of-kafka";
    private static final String FROM_REDIS = "Quotas and awards come from Redis.";
    private static final String FROM_POSTGRES = "Quotas and awards come from PostgreSQL.";
    private static final String ANOTHER = "another-password";

    private static final String LOGIN = "spring.kafka.properties.sasl.jaas.config";
    private static final String KAFKA_REFUSES = "Kafka refuses this process. ";
    private static final String REDIS_FAILS = "Redis cannot be used for quotas and awards: ";

    private static final String RULES = """
            "mode": "SINGLE", "fallback": 1, "awards": [
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.1", "sort": 1},
              {"awardId": 2, "title": "Cinema", "type": "TEXT", "rate": "0.9", "sort": 2, "stock": 1000}]""";

    private static final String CHANCES = """
            "skus": [{"sku": 1, "total": 1000, "month": 1000, "day": 1000}]""";

    @Test
    @DisplayName("It draws and hands over, says why a server is not for it, and goes on when a password is right again")
    void encrypted(@TempDir Path folder) throws Exception {
        TestAuthority authority = TestAuthority.create(folder.resolve("ours"));
        TestAuthority stranger = TestAuthority.create(folder.resolve("of-a-stranger"));
        Path secrets = Files.createDirectories(folder.resolve("secrets"));
        Files.writeString(secrets.resolve(LOGIN), EncryptedServers.kafkaLogin(KAFKA_PASSWORD) + "\n");
        try (EncryptedServers servers = EncryptedServers.start(DATA, authority);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            servers.setRedisPassword(REDIS_PASSWORD);
            servers.setKafkaPassword(KAFKA_PASSWORD);
            Map<String, String> right = servers.environment(authority.certificate(), REDIS_PASSWORD, secrets);
            // All invoices go over Kafka, also those for the lottery itself.
            right.put("LOTTERY_FULFILMENT_DIRECT", "");
            TrialActivity activity;
            try (LotteryProcess lottery = LotteryProcess.open(right)) {
                Future<?> others = threads.submit(() -> requireOthersAreRefused(servers, right, stranger));
                activity = TrialActivity.open(lottery, RULES, CHANCES);
                activity.recharge("ann");
                awaitGranted(lottery, drawn(activity, "first"));
                awaitOutput(lottery, FROM_REDIS);
                assertThat(lottery.output()).doesNotContain(KAFKA_REFUSES, "WRONGPASS", "certification path");
                loseKafka(servers, activity);
                loseRedis(servers, activity);
                others.get(OTHERS_MAX.toSeconds(), TimeUnit.SECONDS);
                assertThat(lottery.output()).doesNotContain(REDIS_PASSWORD, KAFKA_PASSWORD, ANOTHER);
            }
            startWithoutKafka(servers, right, activity);
        }
    }

    /** Starts a process while Kafka refuses its login. It draws meanwhile, and goes on by itself. */
    private static void startWithoutKafka(
            EncryptedServers servers, Map<String, String> settings, TrialActivity activity) throws Exception {
        servers.setKafkaPassword(ANOTHER);
        try (LotteryProcess lottery = LotteryProcess.open(settings)) {
            awaitOutput(lottery, KAFKA_REFUSES);
            TrialActivity same = activity.at(lottery);
            String waiting = drawn(same, "started without Kafka");
            // The feed and the grants have tried to send by then.
            await().pollDelay(Duration.ofSeconds(10)).atMost(SOON).until(() -> true);
            assertThat(state(lottery, waiting)).isNotEqualTo("GRANTED");
            requireHealth(lottery, "DOWN");

            servers.setKafkaPassword(KAFKA_PASSWORD);
            awaitGranted(lottery, waiting);
            requireKafkaIsBack(same, "started");
        }
    }

    /** Requires that queued draws and the health say that Kafka lets the process in. */
    private static void requireKafkaIsBack(TrialActivity activity, String key) {
        await("the queue is back")
                .atMost(SOON)
                .until(() -> activity.queue("ann", "back-" + key).status() == 202);
        requireHealth(activity.lottery(), "UP");
    }

    /** Awaits what the health says about Kafka. A process that Kafka refuses is alive and ready all the same. */
    private static void requireHealth(LotteryProcess lottery, String status) {
        await("the health of Kafka is " + status)
                .atMost(SOON)
                .until(() -> lottery.get("/actuator/health")
                        .json()
                        .path("components")
                        .path("kafka")
                        .path("status")
                        .asString("")
                        .equals(status));
        assertThat(lottery.get("/livez").status()).isEqualTo(200);
        assertThat(lottery.get("/readyz").status()).isEqualTo(200);
    }

    /** Takes the password for Kafka away for some seconds. The lottery draws meanwhile, and goes on by itself. */
    private static void loseKafka(EncryptedServers servers, TrialActivity activity) throws Exception {
        LotteryProcess lottery = activity.lottery();
        servers.setKafkaPassword(ANOTHER);
        awaitOutput(lottery, KAFKA_REFUSES);
        awaitOutput(lottery, "SaslAuthenticationException");
        requireHealth(lottery, "DOWN");
        // Each request has a key of its own: one that was accepted while some clients were still let in is answered
        // again.
        AtomicInteger attempts = new AtomicInteger();
        await("the queue is away")
                .atMost(SOON)
                .until(() -> activity.queue("ann", "away-" + attempts.incrementAndGet())
                                .status()
                        == 503);
        // A client that was let in before may go on for a while. Only then has the one that sends been refused, too.
        await().pollDelay(EncryptedServers.LOGIN_LASTS.multipliedBy(4))
                .atMost(SOON)
                .until(() -> true);
        String waiting = drawn(activity, "without Kafka");
        await().pollDelay(Duration.ofSeconds(5)).atMost(SOON).until(() -> true);
        assertThat(state(lottery, waiting)).isNotEqualTo("GRANTED");
        assertThat(count(lottery, KAFKA_REFUSES)).as("lines about the refusal").isLessThanOrEqualTo(2);
        assertThat(count(lottery, "failed authentication due to"))
                .as("lines of two dozen clients")
                .isLessThanOrEqualTo(6);

        servers.setKafkaPassword(KAFKA_PASSWORD);
        awaitGranted(lottery, waiting);
        requireKafkaIsBack(activity, "later");
        awaitGranted(lottery, drawn(activity, "with Kafka"));
        // The feed and the grants have sent with the same producer, which Kafka has refused under both of them.
        assertThat(lottery.output()).doesNotContain("has parked event", "is a dead letter now");
    }

    /** Takes the password of Redis away. Quotas and awards come from PostgreSQL meanwhile. */
    private static void loseRedis(EncryptedServers servers, TrialActivity activity) throws Exception {
        LotteryProcess lottery = activity.lottery();
        servers.setRedisPassword(ANOTHER);
        awaitOutput(lottery, "WRONGPASS");
        awaitSource(lottery, FROM_POSTGRES);
        awaitGranted(lottery, drawn(activity, "without Redis"));
        servers.setRedisPassword(REDIS_PASSWORD);
        awaitSource(lottery, FROM_REDIS);
        awaitGranted(lottery, drawn(activity, "with Redis"));
    }

    /** Awaits that the log has named this source last. On a slow machine, Redis may not follow in time for moments. */
    private static void awaitSource(LotteryProcess lottery, String source) {
        await(source).atMost(SOON).until(() -> {
            String output = lottery.output();
            return output.lastIndexOf(source)
                    == Math.max(output.lastIndexOf(FROM_REDIS), output.lastIndexOf(FROM_POSTGRES));
        });
    }

    /** Requires that processes with other settings say what is wrong. */
    private static boolean requireOthersAreRefused(
            EncryptedServers servers, Map<String, String> right, TestAuthority stranger) throws IOException {
        Map<String, String> password = new HashMap<>(right);
        password.put("LOTTERY_POSTGRES_PASSWORD", ANOTHER);
        assertThat(LotteryProcess.failing(password).output())
                .contains("PostgreSQL cannot be used: ", "password authentication failed for user \"lottery_app\"")
                .doesNotContain("\tat ", ANOTHER);

        Map<String, String> trust = new HashMap<>(right);
        trust.put("LOTTERY_POSTGRES_URL", servers.postgresUrl(stranger.certificate()));
        assertThat(LotteryProcess.failing(trust).output())
                .contains("PostgreSQL cannot be used: SSL error: ", "unable to find valid certification path")
                .doesNotContain("\tat ");

        // Redis and Kafka may be away, also at the start.
        Map<String, String> both = new HashMap<>(right);
        both.put("SPRING_SSL_BUNDLE_PEM_SERVERS_TRUSTSTORE_CERTIFICATE", "file:" + stranger.certificate());
        try (LotteryProcess lottery = LotteryProcess.open(both)) {
            awaitOutput(lottery, REDIS_FAILS);
            awaitOutput(lottery, KAFKA_REFUSES);
            awaitOutput(lottery, "SslAuthenticationException");
            awaitOutput(lottery, "unable to find valid certification path to requested target");
        }
        return true;
    }

    private static String drawn(TrialActivity activity, String key) {
        Reply reply = activity.draw("ann", key);
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        return reply.json().get("awardRecordId").asString();
    }

    private static String state(LotteryProcess lottery, String record) {
        return lottery.get("/api/v1/award-records/" + record)
                .json()
                .path("state")
                .asString("");
    }

    private static void awaitGranted(LotteryProcess lottery, String record) {
        await("the grant of " + record)
                .atMost(SOON)
                .until(() -> state(lottery, record).equals("GRANTED"));
    }

    private static void awaitOutput(LotteryProcess lottery, String text) {
        await("the log says " + text).atMost(SOON).until(() -> lottery.output().contains(text));
    }

    private static int count(LotteryProcess lottery, String text) throws IOException {
        return lottery.output().split(Pattern.quote(text), -1).length - 1;
    }
}
