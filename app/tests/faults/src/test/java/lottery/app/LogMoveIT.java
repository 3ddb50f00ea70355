package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import lottery.api.UserId;
import lottery.api.UserShard;
import lottery.app.KeyedDraws.DrawLoad;
import lottery.app.LotteryProcess.Reply;
import lottery.bench.CheckedDatabase;
import lottery.embedded.EmbeddedServers;
import lottery.embedded.EmbeddedSettings;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Moves logs from one of two PostgreSQL servers to the other one while users draw, and kills the command at each step.
 */
@Tag("turn-2")
@DisplayName("A log that moves to another PostgreSQL server")
class LogMoveIT {

    private static final Path DATA = LotteryProcess.FOLDER.resolve("servers-of-moves");

    private static final int LOGS = 4;
    private static final int DRAWS = 40;

    /** How long the users of a log may be told to come again. The limit is far above what is usual. */
    private static final Duration CLOSED_MAX = Duration.ofSeconds(30);

    private static final Duration SOON = Duration.ofMinutes(2);

    private static final String RULES = """
            "mode": "SINGLE", "fallback": 1, "awards": [
              {"awardId": 1, "title": "Points", "type": "CREDIT", "amount": {"min": "0.01", "max": "8.88"}, "rate": "0.5",
               "sort": 1},
              {"awardId": 2, "title": "Cinema", "type": "TEXT", "rate": "0.5", "sort": 2, "stock": 100000}]""";

    private static final String CHANCES = """
            "skus": [{"sku": 1, "total": 100000, "month": 100000, "day": 100000}]""";

    /** The command prints these texts at the beginning of its steps. */
    private static final List<String> STEPS =
            List.of("Copying log", "tables are copied", "Closing log", "Nobody can write", "Opening log");

    private final KeyedDraws draws = new KeyedDraws();
    private final AtomicInteger keys = new AtomicInteger();

    @Test
    @DisplayName(
            "Its users wait for seconds and nothing is lost, wherever the command is killed, or if it is cancelled")
    void moved() throws Exception {
        EmbeddedSettings settings = EmbeddedSettings.forTests(DATA).withDatabases(2, LOGS);
        try (EmbeddedServers servers = EmbeddedServers.start(settings)) {
            Map<String, String> environment = Servers.environmentOf(servers);
            String first = Objects.requireNonNull(servers.properties().get("lottery.postgres.url"));
            String second = Objects.requireNonNull(servers.properties().get("lottery.log.01.url"));
            TrialActivity activity;
            try (LotteryProcess lottery = LotteryProcess.open(environment);
                    LotteryProcess frozen = LotteryProcess.open(environment)) {
                activity = TrialActivity.open(lottery, RULES, CHANCES);
                KeyedDraws.recharge(activity);
                try (DrawLoad load = draws.at(activity)) {
                    load.awaitDraws(DRAWS);
                    requireServed(activity.at(frozen), 3);
                    frozen.freeze();
                    requireMoved(command(environment, "03", first));
                    requireServed(activity, 3);
                    frozen.goOn();
                    requireServed(activity.at(frozen), 3);
                    moveInPieces(environment, "01", first);
                    requireServed(activity, 1);
                    load.awaitDraws(DRAWS);
                    killAt("Nobody can write", environment, "01", second);
                    assertThat(LotteryProcess.failing(environment).output())
                            .contains("log 01 is just being moved to another database");
                    killAt("is open where it was", environment, "01", second, "--cancel");
                    assertThat(command(environment, "01", second, "--cancel").output())
                            .contains("The move is cancelled");
                    requireServed(activity, 1);
                    load.awaitDraws(DRAWS);
                }
            }
            // The settings still have the old places.
            try (LotteryProcess lottery = LotteryProcess.open(environment)) {
                assertThat(lottery.output()).contains("Set LOTTERY_LOG_01_URL to", "Set LOTTERY_LOG_03_URL to");
                try (DrawLoad _ = draws.repeatedAt(activity.at(lottery))) {
                    await("answers to all requests").atMost(SOON).until(() -> draws.unanswered() == 0);
                }
                draws.requireNothingWrong();
                assertThat(draws.answers()).containsAllEntriesOf(draws.repeated(activity.at(lottery)));
                environment.put("LOTTERY_LOG_01_URL", first);
                environment.put("LOTTERY_LOG_03_URL", first);
                StoredFacts.awaitSound(CheckedDatabase.of(new HashMap<>(), environment), SOON);
            }
        }
    }

    private static LotteryProcess command(Map<String, String> environment, String... arguments) throws IOException {
        return LotteryProcess.finished(environment, withName(arguments));
    }

    private static String[] withName(String... arguments) {
        return Stream.concat(Stream.of("move-log"), Stream.of(arguments)).toArray(String[]::new);
    }

    private static void requireMoved(LotteryProcess command) throws IOException {
        assertThat(command.output()).containsAnyOf("has moved to", "already");
        assertThat(command.exitStatus()).isZero();
    }

    /** Kills the command at the beginning of each step, and lets it end at last. */
    private static void moveInPieces(Map<String, String> environment, String log, String target) throws IOException {
        for (String step : STEPS) {
            killAt(step, environment, log, target);
        }
        requireMoved(command(environment, log, target));
    }

    private static void killAt(String step, Map<String, String> environment, String... arguments) throws IOException {
        LotteryProcess command = LotteryProcess.begun(environment, withName(arguments));
        await(step)
                .atMost(SOON)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> command.output().contains(step));
        command.kill();
    }

    /** Requires that all users of a log are served again soon. */
    private void requireServed(TrialActivity activity, int log) {
        long endNanos = System.nanoTime() + CLOSED_MAX.toNanos();
        KeyedDraws.users().stream()
                .filter(user -> UserShard.of(new UserId(user)).number() % LOGS == log)
                .forEach(user -> {
                    Reply reply = draw(activity, user);
                    while (reply.status() == 503 && System.nanoTime() < endNanos) {
                        LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
                        reply = draw(activity, user);
                    }
                    assertThat(reply.status()).as(reply.text()).isEqualTo(201);
                });
    }

    private Reply draw(TrialActivity activity, String user) {
        return activity.draw(user, "moved-" + keys.incrementAndGet());
    }
}
