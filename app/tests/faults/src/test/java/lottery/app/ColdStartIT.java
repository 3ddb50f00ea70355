package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import lottery.app.LotteryProcess.Reply;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests draws in the second in which a process becomes ready, with nothing compiled yet. */
@Tag("turn-3")
@DisplayName("A process that has just become ready")
class ColdStartIT {

    private static final Duration LOAD = Duration.ofSeconds(Long.getLong("trial.cold", 8));
    private static final int CLIENTS = 64;

    private static final String RULES = """
            "mode": "SINGLE", "fallback": 1, "awards": [
              {"awardId": 1, "title": "Coffee", "type": "TEXT", "rate": "0.6", "sort": 1},
              {"awardId": 2, "title": "Points", "type": "CREDIT", "rate": "0.4", "sort": 2, "amount": {"min": "1", "max": "1"}}]""";

    private static final String CHANCES = """
            "skus": [{"sku": 1, "total": 1000000, "month": 1000000, "day": 1000000}]""";

    private final AtomicInteger requests = new AtomicInteger();

    @Test
    @DisplayName("It answers all clients, those who draw one at a time and those who draw ten")
    void answersAll() throws Exception {
        TrialActivity prepared = rechargedWithAnother();
        Map<String, Long> answers = new TreeMap<>();
        List<String> refusals;
        try (LotteryProcess cold = LotteryProcess.open(Servers.environment());
                ExecutorService users = Executors.newVirtualThreadPerTaskExecutor()) {
            TrialActivity activity = prepared.at(cold);
            long beginNanos = System.nanoTime();
            for (Future<Map<String, Long>> client : IntStream.range(0, CLIENTS)
                    .mapToObj(user ->
                            users.submit(() -> draw(activity, "user-" + user, user % 4 == 0 ? 10 : 1, beginNanos)))
                    .toList()) {
                client.get(2, TimeUnit.MINUTES).forEach((answer, times) -> answers.merge(answer, times, Long::sum));
            }
            refusals = cold.output()
                    .lines()
                    .filter(line -> line.contains("The caller is answered"))
                    .toList();
            System.out.printf("cold: %d clients in %d s: %s%n", CLIENTS, LOAD.toSeconds(), answers);
            StoredFacts.awaitSound();
        }
        assertThat(answers).as("%s", refusals).containsOnlyKeys("201");
    }

    private static TrialActivity rechargedWithAnother() throws Exception {
        try (LotteryProcess warm = LotteryProcess.open(Servers.environmentOfTrial())) {
            TrialActivity activity = TrialActivity.open(warm, RULES, CHANCES);
            IntStream.range(0, CLIENTS).forEach(user -> activity.recharge("user-" + user));
            return activity;
        }
    }

    private Map<String, Long> draw(TrialActivity activity, String user, int drawsAtOnce, long beginNanos) {
        Map<String, Long> answers = new TreeMap<>();
        while (System.nanoTime() - beginNanos < LOAD.toNanos()) {
            int request = requests.getAndIncrement();
            Reply reply = activity.lottery()
                    .post(
                            activity.account(user) + "/draws",
                            "{\"count\": %d}".formatted(drawsAtOnce),
                            "Idempotency-Key",
                            "cold-%d-%d".formatted(drawsAtOnce, request));
            answers.merge(reply.status() == 201 ? "201" : reply.status() + " " + reply.code(), 1L, Long::sum);
        }
        return answers;
    }
}
