package lottery.store.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.Random;
import java.util.stream.LongStream;
import lottery.store.commit.SimulatedLog.Flaw;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests the committers of three processes by schedules that follow from seeds. {@code -Dlog.schedules=10000000} tries
 * so many, and {@code -Dlog.seed=} tries the one that has failed.
 */
@DisplayName("Three processes that write to one log while everything fails")
class CommitSimulationTest {

    private static final int SCHEDULES = Integer.getInteger("log.schedules", 1_000);
    private static final long SEED = Long.getLong("log.seed", new Random().nextLong(1L << 40));

    /** A flaw has to be found within so many schedules. */
    private static final int FLAWED_SCHEDULES = 20_000;

    @Test
    @DisplayName("Whatever was answered is so, and nothing is stored twice or without what was before")
    void right() {
        int schedules = System.getProperty("log.seed") == null ? SCHEDULES : 1;
        long begunNanos = System.nanoTime();
        for (int i = 0; i < schedules; i++) {
            new CommitSimulation(SEED + i, Flaw.NONE).run();
        }
        System.out.printf(
                "simulation: %d schedules from %d on in %.1f s%n",
                schedules, SEED, (System.nanoTime() - begunNanos) / 1e9);
    }

    @Tag("trial")
    @ParameterizedTest(name = "{0} is found")
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void finds(Flaw flaw) {
        long found = LongStream.range(SEED, SEED + FLAWED_SCHEDULES)
                .filter(seed -> isFoundBy(seed, flaw))
                .findFirst()
                .orElseThrow(() -> new AssertionError(flaw + " was not found from " + SEED + " on"));
        System.out.printf("simulation: %s was found in schedule %d%n", flaw, found - SEED + 1);
        assertThat(isFoundBy(found, flaw)).as("the same seed finds it again").isTrue();
        assertThatCode(() -> new CommitSimulation(found, Flaw.NONE).run()).doesNotThrowAnyException();
    }

    private static boolean isFoundBy(long seed, Flaw flaw) {
        try {
            new CommitSimulation(seed, flaw).run();
            return false;
        } catch (AssertionError found) {
            return true;
        }
    }
}
