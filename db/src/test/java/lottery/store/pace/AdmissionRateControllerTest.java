package lottery.store.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("The admission rate controller")
class AdmissionRateControllerTest {

    private static final Duration LOOK = Duration.ofMillis(200);
    private static final double EVENTS_PER_UNIT = 8;

    /** A processor that handles {@code speed} events a second. */
    private static final class SimulatedProcessor {

        double speed;
        double position;

        /** The events that it makes others write, for each one that it handles. */
        double echo;

        /** How long it needs for each batch, of which nobody sees anything before it is done. */
        double batchSeconds;

        double inBatch;

        /** Handles events, and returns how many events are written because of that. */
        double follow(double seconds, double head) {
            double before = position;
            inBatch += seconds;
            if (inBatch >= batchSeconds) {
                position = Math.min(head, position + speed * inBatch);
                inBatch = 0;
            }
            return (position - before) * echo;
        }
    }

    /** A simulation of users who want {@code wanted} units a second, and of processors that handle events. */
    private static final class World {

        final AdmissionRateController regulator;
        final Map<String, SimulatedProcessor> followers = new HashMap<>();
        double wanted;
        int looksPerBurst = 1;
        double limit = AdmissionRateController.UNLIMITED;
        double head;
        double begun;
        long nanos;

        /** Simulates a process that is not new. */
        World() {
            this(0);
        }

        World(double coldSpeed) {
            regulator = new AdmissionRateController(coldSpeed);
        }

        World wanted(double unitsPerSecond) {
            wanted = unitsPerSecond;
            return this;
        }

        World processor(String name, double eventsPerSecond) {
            followers.computeIfAbsent(name, _ -> new SimulatedProcessor()).speed = eventsPerSecond;
            return this;
        }

        World batches(String name, double seconds) {
            Objects.requireNonNull(followers.get(name)).batchSeconds = seconds;
            return this;
        }

        /** Lets users come together, at each of so many looks. */
        World inBursts(int looks) {
            looksPerBurst = looks;
            return this;
        }

        World echo(String name, double events) {
            Objects.requireNonNull(followers.get(name)).echo = events;
            return this;
        }

        World run(Duration time) {
            for (long i = 0; i < time.dividedBy(LOOK); i++) {
                step();
            }
            return this;
        }

        private void step() {
            double seconds = LOOK.toMillis() / 1e3;
            nanos += LOOK.toNanos();
            boolean isBurst = nanos / LOOK.toNanos() % looksPerBurst == 0;
            double units = isBurst ? Math.min(wanted, limit) * seconds * looksPerBurst : 0;
            boolean hasDelayed = wanted > limit;
            begun += units;
            head += units * EVENTS_PER_UNIT;
            Map<String, Long> seen = new HashMap<>();
            double now = head;
            followers.forEach((name, follower) -> {
                head += follower.follow(seconds, now);
                seen.put(name, (long) follower.position);
            });
            if (units == 0 && limit == AdmissionRateController.UNLIMITED) {
                regulator.forget(); // As admission control does, which reads nothing then.
            } else {
                limit = regulator.limit(new ProgressReading(nanos, (long) head, (long) begun, seen), hasDelayed);
            }
        }

        double behind(String name) {
            return head - Objects.requireNonNull(followers.get(name)).position;
        }

        /** Returns the units that begin a second during the given time. */
        double rate(Duration time) {
            double before = begun;
            run(time);
            return (begun - before) * 1e9 / time.toNanos();
        }
    }

    private final World world = new World();

    @Test
    @DisplayName("admits everybody while all processors follow")
    void open() {
        world.processor("fast", 10_000).processor("faster", 20_000).wanted(1_000);

        assertThat(world.rate(Duration.ofSeconds(30))).isCloseTo(1_000, within(1.0));
        assertThat(world.limit).isInfinite();
    }

    @Nested
    @DisplayName("when users want more than a processor can follow")
    class Overload {

        @Test
        @DisplayName("admits as many as it follows, of ten times as many or a hundred, and it is never far behind")
        void overload() {
            for (double factor : new double[] {1.5, 10, 100}) {
                World crowd = new World()
                        .processor("slow", 4_000)
                        .processor("fast", 50_000)
                        .wanted(factor * 4_000 / EVENTS_PER_UNIT);
                // Units that began before the first reading are caught up with first, at half the speed.
                crowd.run(Duration.ofMinutes(4));

                assertThat(crowd.rate(Duration.ofSeconds(60)))
                        .as("of 500 that it follows, wanted %s times", factor)
                        .isBetween(480.0, 510.0);
                assertThat(crowd.behind("slow")).isLessThan(6_000);
            }
        }

        @Test
        @DisplayName("admits as many as it follows, or fewer, also if each of its batches takes nine seconds")
        void longBatches() {
            world.processor("slow", 240)
                    .batches("slow", 9)
                    .processor("fast", 10_000)
                    .wanted(400)
                    .run(Duration.ofSeconds(60));
            double behind = world.behind("slow");

            assertThat(world.rate(Duration.ofSeconds(60))).isBetween(14.0, 30.0);
            assertThat(world.behind("slow")).isLessThan(behind);
            world.processor("slow", 10_000).batches("slow", 0).run(Duration.ofSeconds(20));
            assertThat(world.rate(Duration.ofSeconds(60))).isCloseTo(400, within(1.0));
        }

        @Test
        @DisplayName("admits no more if users come in bursts, between which nothing begins")
        void longBatchesInBursts() {
            world.processor("slow", 240)
                    .batches("slow", 9)
                    .wanted(400)
                    .inBursts(4)
                    .run(Duration.ofSeconds(60));
            double behind = world.behind("slow");

            world.run(Duration.ofMinutes(2));
            assertThat(world.behind("slow")).isLessThan(behind);
        }

        @Test
        @DisplayName("keeps it from being far behind from the first second on")
        void first() {
            world.processor("slow", 4_000).wanted(2_000);
            world.run(Duration.ofSeconds(2));

            for (int i = 0; i < 100; i++) {
                world.run(LOOK);
                assertThat(world.behind("slow")).isLessThan(25_000);
            }
        }

        @Test
        @DisplayName("admits as many as it follows from the first moment on, however quiet it was before")
        void afterQuiet() {
            for (double quiet : new double[] {0, 5, 100, 600}) {
                World crowd = new World().processor("one", 10_000).wanted(quiet);
                crowd.run(Duration.ofSeconds(20)).wanted(2_000);

                for (int second = 1; second <= 10; second++) {
                    assertThat(crowd.rate(Duration.ofSeconds(1)))
                            .as("in second %d, of 1,250 that it follows, after %s a second", second, quiet)
                            .isGreaterThan(900);
                    assertThat(crowd.behind("one")).isLessThan(15_000);
                }
            }
        }

        @Test
        @DisplayName("admits as many as it follows when the next crowd comes seconds after the last one")
        void crowdAfterCrowd() {
            for (int pause : new int[] {1, 3, 5, 8, 11, 30}) {
                World crowd = new World().processor("one", 20_000).wanted(5_000);
                crowd.run(Duration.ofSeconds(20)).wanted(0).run(Duration.ofSeconds(pause));
                crowd.wanted(5_000);

                for (int second = 1; second <= 5; second++) {
                    assertThat(crowd.rate(Duration.ofSeconds(1)))
                            .as("in second %d, of 2,500 that it follows, after %d s", second, pause)
                            .isGreaterThan(1_700);
                }
            }
        }

        @Test
        @DisplayName("refuses nobody in the first seconds, in which code is not compiled yet, and it is not far behind")
        void cold() {
            World crowd = new World(AdmissionRateController.COLD_SPEED)
                    .processor("one", 500)
                    .wanted(400);

            for (int second = 1; second <= 10; second++) {
                crowd.processor("one", 500 + 400 * second).run(Duration.ofSeconds(1));
                assertThat(crowd.limit).as("after %d s", second).isGreaterThan(400);
                assertThat(crowd.behind("one")).as("after %d s", second).isLessThan(10_000);
            }
        }

        @Test
        @DisplayName("refuses units that are too many for a process that stays as slow as it was when it was new")
        void staysCold() {
            World crowd = new World(AdmissionRateController.COLD_SPEED)
                    .processor("one", 1_000)
                    .wanted(400);

            for (int second = 1; second <= 60; second++) {
                assertThat(crowd.run(Duration.ofSeconds(1)).behind("one")).isLessThan(45_000);
            }
            crowd.run(Duration.ofMinutes(4));
            assertThat(crowd.rate(Duration.ofSeconds(60))).isBetween(115.0, 130.0);
        }

        @Test
        @DisplayName("follows the processor when it becomes faster, and slower")
        void changes() {
            world.processor("one", 4_000).wanted(10_000).run(Duration.ofSeconds(30));

            world.processor("one", 16_000).run(Duration.ofSeconds(30));
            assertThat(world.rate(Duration.ofSeconds(20))).isBetween(1_900.0, 2_050.0);

            world.processor("one", 1_600).run(Duration.ofSeconds(30));
            assertThat(world.rate(Duration.ofSeconds(20))).isBetween(180.0, 210.0);
            assertThat(world.behind("one")).isLessThan(6_000);
        }

        @Test
        @DisplayName("admits everybody again when fewer come")
        void relief() {
            world.processor("slow", 4_000).wanted(5_000).run(Duration.ofSeconds(30));
            world.wanted(100).run(Duration.ofSeconds(5));

            assertThat(world.limit).isInfinite();
        }
    }

    @Nested
    @DisplayName("when a processor stands still")
    class Standstill {

        @Test
        @DisplayName("goes on as if it were not there")
        void still() {
            world.processor("away", 10_000)
                    .processor("here", 10_000)
                    .wanted(1_000)
                    .run(Duration.ofSeconds(10));
            world.processor("away", 0).run(Duration.ofSeconds(10));

            assertThat(world.rate(Duration.ofSeconds(60))).isCloseTo(1_000, within(1.0));
        }

        @Test
        @DisplayName("goes on as if it were not there also if each of its batches took nine seconds before")
        void stillAfterLongBatches() {
            world.processor("away", 240).batches("away", 9).wanted(400).run(Duration.ofSeconds(60));
            world.processor("away", 0).run(Duration.ofSeconds(40));

            assertThat(world.rate(Duration.ofSeconds(60))).isCloseTo(400, within(1.0));
        }

        @Test
        @DisplayName("or nearly so, because all that it handles fails, shuts out nobody either")
        void creeps() {
            world.processor("failing", 20)
                    .processor("here", 10_000)
                    .wanted(1_000)
                    .run(Duration.ofSeconds(30));

            assertThat(world.rate(Duration.ofSeconds(60))).isCloseTo(1_000, within(1.0));
        }

        @Test
        @DisplayName("admits half of what it follows also when it writes much while it catches up")
        void writes() {
            world.processor("away", 10_000).echo("away", 0.5).wanted(400).run(Duration.ofSeconds(10));
            world.processor("away", 0).run(Duration.ofSeconds(60));
            double behind = world.behind("away");
            world.processor("away", 10_000).run(Duration.ofSeconds(10));

            assertThat(world.rate(Duration.ofSeconds(30))).isBetween(250.0, 400.0);
            assertThat(world.behind("away")).isLessThan(behind - 40_000);
        }

        @Test
        @DisplayName("shuts out nobody in the seconds until that is clear, either")
        void becomesStill() {
            world.processor("away", 10_000).wanted(1_000).run(Duration.ofSeconds(10));
            world.processor("away", 0);

            assertThat(world.rate(Duration.ofSeconds(10))).isGreaterThan(500);
        }

        @Test
        @DisplayName("admits half of what it follows while it catches up")
        void catchesUp() {
            world.processor("away", 10_000).wanted(1_000).run(Duration.ofSeconds(10));
            world.processor("away", 0).run(Duration.ofSeconds(60));
            double behind = world.behind("away");
            world.processor("away", 10_000).run(Duration.ofSeconds(10));

            assertThat(world.rate(Duration.ofSeconds(30))).isBetween(500.0, 800.0);
            assertThat(world.behind("away")).isLessThan(behind - 100_000);
        }
    }

    @Test
    @DisplayName("that looks only every three seconds still knows which processor is behind")
    void rarely() {
        AdmissionRateController regulator = new AdmissionRateController(0);
        double limit = AdmissionRateController.UNLIMITED;
        for (long second = 0; second < 30; second += 3) {
            limit = regulator.limit(
                    new ProgressReading(
                            Duration.ofSeconds(second + 1).toNanos(),
                            10_000 + 8_000 * second,
                            1_000 * second,
                            Map.of("slow", 4_000 * second)),
                    true);
        }
        assertThat(limit).isBetween(200.0, 500.0);
    }

    @Test
    @DisplayName("knows nothing in its first moment, and holds up nobody")
    void begins() {
        world.processor("old", 10_000);
        world.head = 1_000_000;

        world.wanted(500).run(LOOK);

        assertThat(world.limit).isInfinite();
    }
}
