package lottery.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import lottery.rule.CompiledStrategy;
import lottery.rule.Described;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A simulation")
class SimulationTest {

    private static final Duration WAIT_MAX = Duration.ofSeconds(60);
    private static final long SEED = 20261121;

    private final ExecutorService threads = Executors.newFixedThreadPool(4);

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @Nested
    @DisplayName("Simulations with the same seed")
    class Repeated {

        private final CompiledStrategy rules = Described.overall()
                .award(1, "0.4")
                .limited(2, "0.05", 20)
                .varying(3, "0.2", "0.01", "9.99")
                .costing("0.3")
                .locked(4, "0.1", 2)
                .tier(4, 1, 2)
                .fallback(1)
                .rules();

        @Test
        @DisplayName("The result is the same with one thread and with four.")
        void threads() {
            SimulationPlan plan = new SimulationPlan(20_000, 500, 7, 16, SEED);
            try (ExecutorService one = Executors.newSingleThreadExecutor()) {
                assertThat(played(rules, plan, one)).hasSize(16).isEqualTo(played(rules, plan, threads));
            }
        }

        @Test
        @DisplayName("The runs differ from each other, and from the runs of another seed.")
        void seeds() {
            List<SimulationRunResult> courses = played(rules, new SimulationPlan(20_000, 500, 7, 4, SEED));
            assertThat(courses).doesNotHaveDuplicates();
            assertThat(played(rules, new SimulationPlan(20_000, 500, 7, 4, SEED + 1)))
                    .doesNotContainAnyElementsOf(courses);
        }

        @Test
        @DisplayName("The first runs are the same, however many there are.")
        void moreRuns() {
            List<SimulationRunResult> few = played(rules, new SimulationPlan(5_000, 500, 7, 2, SEED));
            assertThat(played(rules, new SimulationPlan(5_000, 500, 7, 5, SEED)))
                    .startsWith(few.toArray(SimulationRunResult[]::new));
        }
    }

    @Nested
    @DisplayName("The rules of a simulation")
    class Rules {

        @Test
        @DisplayName("Each award has the promised share, within the limits of chance.")
        void shares() {
            CompiledStrategy rules = Described.single()
                    .award(1, "0.5")
                    .award(2, "0.29")
                    .award(3, "0.01")
                    .award(4, "0.0001")
                    .rules();
            int draws = 1_000_000;
            SimulationRunResult course =
                    played(rules, new SimulationPlan(draws, 1_000, 10, 1, SEED)).getFirst();
            double[] expected = {0.5, 0.29, 0.01, 0.0001};
            for (int i = 0; i < expected.length; i++) {
                assertIsExplainedByChance(course.given().get(i).count(), draws, expected[i]);
            }
            assertIsExplainedByChance(course.nothings(), draws, 0.1999);
        }

        @Test
        @DisplayName("In SINGLE mode the share of a sold-out award goes to the fallback, and others keep their odds.")
        void soldOutInSingle() {
            CompiledStrategy rules = Described.single()
                    .limited(1, "0.5", 100)
                    .award(2, "0.3")
                    .award(3, "0.2")
                    .fallback(3)
                    .rules();
            for (SimulationRunResult course : played(rules, new SimulationPlan(100_000, 1_000, 10, 5, SEED))) {
                assertThat(course.given().getFirst().count()).isEqualTo(100);
                assertIsExplainedByChance(course.given().get(1).count(), 100_000, 0.3);
                assertIsExplainedByChance(course.fallbacks() + 100, 100_000, 0.5);
                assertThat(course.nothings()).isZero();
            }
        }

        @Test
        @DisplayName("Each simulated user wins an award as often as one user can, and other awards in its place.")
        void limitsPerUser() {
            CompiledStrategy rules = Described.overall()
                    .award(1, "0.5")
                    .award(2, "0.5")
                    .perUser(2)
                    .fallback(1)
                    .rules();
            for (SimulationRunResult course : played(rules, new SimulationPlan(100_000, 1_000, 10, 2, SEED))) {
                assertThat(course.given().get(1).count()).isEqualTo(2_000);
                assertThat(course.given().getFirst().count()).isEqualTo(98_000);
            }
        }

        @Test
        @DisplayName("In OVERALL mode the others share the odds of a sold-out award.")
        void soldOutInOverall() {
            CompiledStrategy rules = Described.overall()
                    .limited(1, "0.2", 100)
                    .award(2, "0.3")
                    .award(3, "0.5")
                    .rules();
            for (SimulationRunResult course : played(rules, new SimulationPlan(100_000, 1_000, 10, 5, SEED))) {
                assertThat(course.given().getFirst().count()).isEqualTo(100);
                int drawsWithout = 100_000 - course.given().getFirst().soldOutAfter();
                assertThat(drawsWithout).isGreaterThan(98_000);
                assertIsExplainedByChance(course.given().get(1).count(), 100_000, 0.375);
                assertThat(course.fallbacks() + course.nothings()).isZero();
            }
        }

        @Test
        @DisplayName("In OVERALL mode the awards sell out one after the other, and the last one gets all odds.")
        void soldOutOneByOne() {
            CompiledStrategy rules = Described.overall()
                    .limited(1, "0.3", 10)
                    .limited(2, "0.3", 100)
                    .limited(3, "0.3", 1_000)
                    .award(4, "0.1")
                    .rules();
            SimulationRunResult course =
                    played(rules, new SimulationPlan(50_000, 10, 1, 1, SEED)).getFirst();
            assertThat(course.given())
                    .extracting(SimulationRunResult.GivenAward::count)
                    .containsExactly(10, 100, 1_000, 48_890);
            assertThat(course.nothings()).isZero();
        }

        @Test
        @DisplayName("When all awards are sold out, draws give nothing.")
        void allSoldOut() {
            CompiledStrategy rules = Described.overall()
                    .limited(1, "0.2", 30)
                    .limited(2, "0.8", 50)
                    .rules();
            SimulationRunResult course =
                    played(rules, new SimulationPlan(1_000, 10, 1, 1, SEED)).getFirst();
            assertThat(course.given())
                    .extracting(SimulationRunResult.GivenAward::count)
                    .containsExactly(30, 50);
            assertThat(course.nothings()).isEqualTo(920);
            assertThat(course.given().stream()
                            .mapToInt(SimulationRunResult.GivenAward::soldOutAfter)
                            .max())
                    .hasValue(80);
        }

        @ParameterizedTest(name = "{1} users, {0} draws, {2} days: {3} of them")
        @CsvSource({"10, 1, 1, 7", "10, 1, 2, 4", "20, 2, 2, 8", "20, 20, 1, 0", "9, 1, 3, 0"})
        @DisplayName("A lock opens after three draws of a user on a day.")
        void locks(int draws, int users, int days, int open) {
            CompiledStrategy rules = Described.single().locked(1, "1", 3).rules();
            SimulationRunResult course = played(rules, new SimulationPlan(draws, users, days, 1, SEED))
                    .getFirst();
            assertThat(course.given().getFirst().count()).isEqualTo(open);
            assertThat(course.nothings()).isEqualTo(draws - open);
        }

        @Test
        @DisplayName("A tier counts the draws of each user, on all days.")
        void tiers() {
            CompiledStrategy rules = Described.single()
                    .award(1, "0.999999999999999999")
                    .award(2, "0.000000000000000001")
                    .tier(3, 2)
                    .exactly()
                    .rules();
            SimulationRunResult course =
                    played(rules, new SimulationPlan(50, 10, 5, 1, SEED)).getFirst();
            assertThat(course.given())
                    .extracting(SimulationRunResult.GivenAward::count)
                    .containsExactly(40, 10);
        }

        @Test
        @DisplayName("No simulated user is on the blacklist.")
        void blacklist() {
            CompiledStrategy rules = Described.single()
                    .award(1, "0.999999999999999999")
                    .award(2, "0.000000000000000001")
                    .blacklist(2, "somebody-1")
                    .rules();
            SimulationRunResult course =
                    played(rules, new SimulationPlan(100, 1, 1, 1, SEED)).getFirst();
            assertThat(course.given())
                    .extracting(SimulationRunResult.GivenAward::count)
                    .containsExactly(100, 0);
        }
    }

    @Nested
    @DisplayName("The result of a simulation")
    class Said {

        @Test
        @DisplayName("An award has a cost for each unit, or for each unit of an amount that varies.")
        void cost() {
            CompiledStrategy rules = Described.single()
                    .award(1, "0.5")
                    .costing("1.25")
                    .varying(2, "0.25", "3.5", "3.5")
                    .costing("2")
                    .award(3, "0.25")
                    .rules();
            SimulationRunResult course =
                    played(rules, new SimulationPlan(1_000, 10, 1, 1, SEED)).getFirst();
            BigDecimal first =
                    new BigDecimal("1.25").multiply(count(course.given().get(0)));
            BigDecimal second =
                    new BigDecimal("7").multiply(count(course.given().get(1)));
            assertThat(course.given().get(0).cost()).isEqualByComparingTo(first);
            assertThat(course.given().get(1).cost()).isEqualByComparingTo(second);
            assertThat(course.given().get(2).cost()).isZero();
            assertThat(course.cost()).isEqualByComparingTo(first.add(second));
        }

        @Test
        @DisplayName("A sum of amounts may exceed the range of a long.")
        void largeAmounts() {
            CompiledStrategy rules = Described.single()
                    .varying(1, "1", "1000000000.000000", "1000000000.000000")
                    .costing("1")
                    .rules();
            SimulationRunResult course =
                    played(rules, new SimulationPlan(20_000, 10, 1, 1, SEED)).getFirst();
            assertThat(course.cost()).isEqualByComparingTo("20000000000000");
        }

        @Test
        @DisplayName("A limited award has the draw and the day on which it sells out, and how the runs differ.")
        void forecast() {
            CompiledStrategy rules = Described.overall()
                    .limited(1, "1", 25)
                    .limited(2, "0.000000000000000001", 1_000_000)
                    .rules();
            SimulationPlan plan = new SimulationPlan(100, 10, 4, 3, SEED);
            Forecast forecast = Forecast.of(rules, plan, played(rules, plan), 10);
            Spread hundredth = new Spread("25", "0", "25", "25");
            Forecast.AwardForecast first = forecast.awards().getFirst();
            assertThat(first.count()).isEqualTo(hundredth);
            assertThat(first.share()).isEqualTo(new Spread("0.25", "0", "0.25", "0.25"));
            assertThat(first.expectedShare()).isEqualTo("1");
            assertThat(first.soldOut())
                    .isEqualTo(new Forecast.SoldOutForecast(3, hundredth, new Spread("1", "0", "1", "1")));
            assertThat(forecast.drawsPerSecond()).isEqualTo(30_000);
        }

        @Test
        @DisplayName("Numbers are in plain notation, with the deviation that a sample suggests.")
        void spread() {
            assertThat(Spread.of(List.of(new BigDecimal("2"), new BigDecimal("4"), new BigDecimal("9"))))
                    .isEqualTo(new Spread("5", "3.605551275", "2", "9"));
            assertThat(Spread.of(List.of(new BigDecimal("1E-7"))))
                    .isEqualTo(new Spread("0.0000001", "0", "0.0000001", "0.0000001"));
            assertThat(Spread.of(List.of(new BigDecimal("1E+3")))).isEqualTo(new Spread("1000", "0", "1000", "1000"));
        }
    }

    @Test
    @DisplayName("A cancelled simulation stops, and has no result.")
    void cancelled() throws InterruptedException {
        CompiledStrategy rules = Described.single().award(1, "0.5").rules();
        SimulationPlan plan = new SimulationPlan(10_000_000, 1_000, 1, 1, SEED);
        Simulation simulation = Simulation.start(rules, plan, threads);
        simulation.cancel();
        assertThat(simulation.isOver(WAIT_MAX)).isTrue();
        assertThat(simulation.drawn()).isLessThan(5_000_000);
        assertThat(simulation.courses()).isEmpty();
    }

    @ParameterizedTest(name = "{0} draws, {1} users, {2} days")
    @CsvSource({"100, 7, 3", "100, 100, 1", "10, 30, 366", "1, 1, 1", "1, 5, 4", "365, 1, 366", "1000, 1, 30"})
    @DisplayName("The formulas for each user's draws agree with a count one by one.")
    void counts(int draws, int users, int days) {
        SimulationPlan plan = new SimulationPlan(draws, users, days, 1, SEED);
        Map<Integer, Integer> before = new HashMap<>();
        Map<List<Integer>, Integer> onDay = new HashMap<>();
        for (int draw = 0; draw < draws; draw++) {
            int user = plan.userOf(draw);
            int day = plan.dayOf(draw);
            assertThat(plan.drawsBefore(draw)).isEqualTo(before.getOrDefault(user, 0));
            assertThat(plan.drawsBefore(draw) - plan.drawsOf(user, plan.firstOn(day)))
                    .isEqualTo(onDay.getOrDefault(List.of(user, day), 0));
            before.merge(user, 1, Integer::sum);
            onDay.merge(List.of(user, day), 1, Integer::sum);
        }
        List<Long> perDay = IntStream.range(0, days)
                .mapToObj(day -> IntStream.range(0, draws)
                        .filter(draw -> plan.dayOf(draw) == day)
                        .count())
                .toList();
        assertThat(perDay).allMatch(count -> count == draws / days || count == draws / days + 1);
    }

    private List<SimulationRunResult> played(CompiledStrategy rules, SimulationPlan plan) {
        return played(rules, plan, threads);
    }

    private static List<SimulationRunResult> played(
            CompiledStrategy rules, SimulationPlan plan, ExecutorService threads) {
        Simulation simulation = Simulation.start(rules, plan, threads);
        try {
            assertThat(simulation.isOver(WAIT_MAX)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        return simulation.courses();
    }

    private static BigDecimal count(SimulationRunResult.GivenAward given) {
        return BigDecimal.valueOf(given.count());
    }

    /** Asserts five standard deviations: chance exceeds them once in two million cases. Besides, the seed is fixed. */
    private static void assertIsExplainedByChance(int count, int draws, double rate) {
        double deviation = Math.sqrt(draws * rate * (1 - rate));
        assertThat((double) count).isBetween(draws * rate - 5 * deviation, draws * rate + 5 * deviation);
    }
}
