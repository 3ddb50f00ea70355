package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Tests users who do everything that users do, while the lottery is killed at random moments. Answers that were given
 * stay the same, and all sums are right in the end.
 *
 * <p>{@code -Dtrial.rounds=50} makes so many kills. The seed that is printed, as {@code -Dtrial.seed}, makes the same
 * choices, though not the same races.
 */
@DisplayName("A lottery that is killed in the middle of everything, again and again")
class KillIT {

    private static final int ROUNDS = Integer.getInteger("trial.rounds", 2);

    /** The rounds after which the activity is full and another one begins. */
    private static final int ROUNDS_PER_ACTIVITY = 3;

    private static final long SEED = Long.getLong("trial.seed", new Random().nextLong());
    private static final int PARTICIPATIONS_MAX = 150;
    private static final Duration LOAD_MIN = Duration.ofMillis(200);
    private static final Duration LOAD_MAX = Duration.ofSeconds(2);
    private static final Duration SOON = Duration.ofSeconds(60);

    private final Random random = new Random(SEED);
    private final Players players = new Players();

    @Test
    @DisplayName("The lottery keeps what it promised, and comes to rest with all invariants intact")
    void killed() throws Exception {
        System.out.printf("kill: -Dtrial.rounds=%d -Dtrial.seed=%d%n", ROUNDS, SEED);
        long begun = System.nanoTime();
        List<PlayedActivities> activities = new ArrayList<>();
        LotteryProcess lottery = LotteryProcess.open(Servers.environmentOfTrial());
        try {
            for (int round = 0; round < ROUNDS; round++) {
                if (round % ROUNDS_PER_ACTIVITY == 0) {
                    if (round > 0) {
                        players.settle(activities.getLast().at(lottery));
                    }
                    activities.add(players.open(lottery, PARTICIPATIONS_MAX));
                }
                play(activities.getLast().at(lottery));
                lottery = LotteryProcess.open(Servers.environmentOfTrial());
                players.requirePromises(activities.getLast().at(lottery));
                System.out.printf("kill: round %d, %d promises kept%n", round + 1, players.promises());
            }
            System.out.printf(
                    "kill: %d rounds in %d s, %s%n",
                    ROUNDS, Duration.ofNanos(System.nanoTime() - begun).toSeconds(), players.summary());
            assertThat(players.outcomes()).contains("200", "201");
            assertThat(players.bought()).as("chances bought for credits").isPositive();
            players.settle(activities.getLast().at(lottery));
            StoredFacts.awaitSound();
            for (PlayedActivities activity : activities) {
                System.out.printf("kill: %d awards granted by a code%n", activity.requireCodes());
            }
            System.out.printf(
                    "kill: sound after %d s%n",
                    Duration.ofNanos(System.nanoTime() - begun).toSeconds());
        } finally {
            lottery.close();
        }
    }

    /** Lets users play, and kills the lottery at a random moment after its first answer. */
    private void play(PlayedActivities activity) throws InterruptedException {
        int before = players.promises();
        try (ExecutorService users = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < Players.CALLERS; i++) {
                int caller = i;
                long seed = random.nextLong();
                users.execute(() -> players.playUntilKilled(caller, seed, activity));
            }
            try {
                await().atMost(SOON)
                        .pollInterval(Duration.ofMillis(10))
                        .until(() -> players.promises() > before
                                && players.outcomes().contains("200"));
                LockSupport.parkNanos(random.nextLong(LOAD_MIN.toNanos(), LOAD_MAX.toNanos()));
            } finally {
                activity.lottery().kill();
            }
            users.shutdown();
            assertThat(users.awaitTermination(SOON.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
        }
        assertThat(players.wrong()).isEmpty();
    }
}
