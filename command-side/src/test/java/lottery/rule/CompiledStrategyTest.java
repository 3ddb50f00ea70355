package lottery.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import lottery.api.UserId;
import lottery.api.raffle.Outcome;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.StrategyDefinition.Mode;
import lottery.api.tree.Comparison;
import lottery.api.tree.Line;
import lottery.api.tree.Node;
import lottery.api.tree.NodeValueType;
import lottery.api.tree.TreeDefinition;
import lottery.rule.DrawReason.AmountDrawn;
import lottery.rule.DrawReason.Blacklisted;
import lottery.rule.DrawReason.EndedInNothing;
import lottery.rule.DrawReason.FallenBack;
import lottery.rule.DrawReason.LeftOut;
import lottery.rule.DrawReason.Looked;
import lottery.rule.DrawReason.NoneLeft;
import lottery.rule.DrawReason.Picked;
import lottery.rule.DrawReason.PickedNothing;
import lottery.rule.DrawReason.TierReached;
import lottery.rule.DrawReason.Won;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The decision of a draw")
class CompiledStrategyTest {

    private static final UserId ANN = new UserId("ann");
    private static final UserId MALLORY = new UserId("mallory");

    /** Picks the last outcome of a table of equal weights, and the maximum of any amount. */
    private static final DrawRandomness LAST = leftOut -> bound -> bound - 1;

    private final Random random = new Random(20261121);
    private final DrawRandomness lots = leftOut -> bound -> random.nextLong(bound);

    @Nested
    @DisplayName("An award that is locked until 3 draws")
    class Locked {

        private final Described strategy =
                Described.single().locked(2, "0.999999999", 3).award(1, "0.000000001");

        @ParameterizedTest(name = "after {0} draws on that day comes to {1}")
        @CsvSource({"0, FALLBACK", "1, FALLBACK", "2, FALLBACK", "3, WON", "4, WON"})
        void unlocksWithDrawsBefore(int drawsBeforeToday, Outcome outcome) {
            assertThat(first(strategy.fallback(1), after(10, drawsBeforeToday)).outcome())
                    .isEqualTo(outcome);
        }

        @Test
        @DisplayName("A locked award gives the fallback instead, with the reason.")
        void givesTheFallback() {
            assertThat(strategy.fallback(1).rules().explain(after(0, 2), FIRST))
                    .endsWith(new Looked("lock", "lock", "locked", "fallback"), new FallenBack(1));
        }

        @Test
        @DisplayName("A locked award gives nothing if there is no fallback.")
        void nothingWithoutFallback() {
            assertThat(first(strategy, after(0, 0))).isEqualTo(DrawDecision.NOTHING);
            assertThat(strategy.rules().explain(after(0, 0), FIRST)).endsWith(new EndedInNothing());
        }
    }

    /** Picks the first outcome of a table, and the minimum of any amount. */
    private static final DrawRandomness FIRST = leftOut -> bound -> 0;

    @Test
    @DisplayName("A draw in the rest of the odds gives nothing, with or without a fallback.")
    void nothing() {
        CompiledStrategy rules = Described.single().award(1, "0.5").fallback(1).rules();
        assertThat(rules.decide(after(0, 0), LAST)).isEqualTo(DrawDecision.NOTHING);
        assertThat(rules.explain(after(0, 0), LAST)).containsExactly(new PickedNothing());
    }

    @Test
    @DisplayName("The reasons of a draw lead from the pick to the leaf.")
    void reasons() {
        assertThat(Described.single().award(1, "0.25").rules().explain(after(0, 0), FIRST))
                .containsExactly(
                        new Picked(1, integer(1), integer(4)),
                        new Looked("lock", "lock", "open", "stock"),
                        new Looked("stock", "stock", "left", "win"),
                        new Won(1));
    }

    @Nested
    @DisplayName("A sold-out award")
    class SoldOutAward {

        private static Described three(Mode mode) {
            return Described.in(mode).limited(1, "0.20", 10).award(2, "0.30").limited(3, "0.50", 10);
        }

        @Test
        @DisplayName("In SINGLE mode its share gives the fallback, and the others keep theirs.")
        void single() {
            assertThat(shares(three(Mode.SINGLE).fallback(2), Set.of(1))).containsExactly(0, 300, 500, 200);
        }

        @Test
        @DisplayName("In SINGLE mode without a fallback its share gives nothing.")
        void singleWithoutFallback() {
            assertThat(shares(three(Mode.SINGLE), Set.of(1))).containsExactly(200, 300, 500, 0);
        }

        @Test
        @DisplayName("In OVERALL mode the others share its odds in proportion: of 20, 30 and 50 remain 37.5 and 62.5.")
        void overall() {
            CompiledStrategy rules = three(Mode.OVERALL).rules();
            assertThat(rules.explain(after(0, 0, 1), FIRST))
                    .startsWith(new LeftOut(List.of(1)), new Picked(2, integer(3), integer(8)));
            assertThat(rules.explain(after(0, 0, 1), LAST))
                    .startsWith(new LeftOut(List.of(1)), new Picked(3, integer(5), integer(8)));
            assertThat(shares(three(Mode.OVERALL), Set.of(1))).containsExactly(0, 375, 625, 0);
        }

        @Test
        @DisplayName("In OVERALL mode the last award that is left always wins.")
        void oneLeft() {
            assertThat(shares(three(Mode.OVERALL), Set.of(1, 3))).containsExactly(0, 1000, 0, 0);
        }

        @Test
        @DisplayName("In OVERALL mode nothing keeps its share, because it was promised too.")
        void nothingKeepsItsShare() {
            Described some = Described.overall().award(2, "0.6").limited(3, "0.2", 1);
            assertThat(shares(some, Set.of())).containsExactly(200, 600, 200, 0);
            assertThat(shares(some, Set.of(3))).containsExactly(200, 800, 0, 0);
        }

        @Test
        @DisplayName("The decision depends on the awards that are sold out now, whatever was sold out before.")
        void eachTimeAnew() {
            CompiledStrategy rules = three(Mode.OVERALL).rules();
            for (int i = 0; i < 3; i++) {
                assertThat(rules.explain(after(0, 0, 1), FIRST))
                        .startsWith(new LeftOut(List.of(1)), new Picked(2, integer(3), integer(8)));
                assertThat(rules.explain(after(0, 0, 1, 2), FIRST))
                        .startsWith(new LeftOut(List.of(1, 2)), new Picked(3, integer(1), integer(1)));
                assertThat(rules.explain(after(0, 0, 3), FIRST))
                        .startsWith(new LeftOut(List.of(3)), new Picked(1, integer(2), integer(5)));
            }
        }

        @Test
        @DisplayName("The fallback, or nothing, is given when no award is left.")
        void noneLeft() {
            Described two = Described.overall().limited(1, "0.2", 1).limited(3, "0.8", 1);
            assertThat(shares(two, Set.of(1, 3))).containsExactly(1000, 0, 0, 0);
            assertThat(two.rules().explain(after(0, 0, 1, 3), FIRST))
                    .containsExactly(new LeftOut(List.of(1, 3)), new NoneLeft(), new EndedInNothing());
        }

        @Test
        @DisplayName("Nothing is given instead of a fallback that is held.")
        void heldFallback() {
            assertThat(shares(three(Mode.SINGLE).fallback(2), Set.of(1, 2))).containsExactly(500, 0, 500, 0);
            Described two =
                    Described.overall().limited(1, "0.2", 1).award(3, "0.8").fallback(3);
            assertThat(two.rules().explain(after(0, 0, 1, 3), FIRST))
                    .containsExactly(new LeftOut(List.of(1, 3)), new NoneLeft(), new EndedInNothing());
        }

        @Test
        @DisplayName("A sold-out id that is no award of the strategy changes nothing.")
        void strangers() {
            assertThat(three(Mode.OVERALL).rules().explain(after(0, 0, 99), FIRST))
                    .startsWith(new Picked(1, integer(1), integer(5)));
        }

        /** Otherwise a repeated pick would see only the numbers that led to the sold-out award. */
        @Test
        @DisplayName("In OVERALL mode a new pick has numbers of its own, in SINGLE mode it has the same ones.")
        void freshNumbers() {
            assertThat(askedFor(three(Mode.OVERALL), 3, 1)).isEqualTo(List.of(1, 3));
            assertThat(askedFor(three(Mode.SINGLE), 3, 1)).isEqualTo(List.of());
        }

        private static List<Integer> askedFor(Described strategy, Integer... soldOut) {
            List<Integer> asked = new ArrayList<>();
            strategy.rules().decide(after(0, 0, soldOut), leftOut -> {
                asked.addAll(leftOut);
                return bound -> 0;
            });
            return asked;
        }
    }

    /** Returns the shares of nothing, 2, 3 and the fallback in thousandths, over the whole domain of picks. */
    private static int[] shares(Described strategy, Set<Integer> soldOut) {
        return new Domain(strategy.rules(), new DrawSituation(ANN, 0, 0, soldOut)).shares(2, 3);
    }

    @Nested
    @DisplayName("A user on the blacklist")
    class Blacklisting {

        private final Described strategy = Described.single()
                .award(1, "0.1")
                .limited(2, "0.9", 1)
                .blacklist(1, "mallory")
                .tier(1, 2);

        @Test
        @DisplayName("A blacklisted user gets the fixed award, whatever the tier, and never a limited one.")
        void fixed() {
            DrawSituation mallory = new DrawSituation(MALLORY, 5, 5, Set.of());
            for (int i = 0; i < 1_000; i++) {
                DrawDecision decision = strategy.rules().decide(mallory, lots);
                assertThat(decision.award()).matches(award -> award.awardId() == 1 && award.stock() == null);
            }
            assertThat(strategy.rules().explain(mallory, LAST)).containsExactly(new Blacklisted(1), new Won(1));
        }

        @Test
        @DisplayName("A blacklisted user gets the fallback while the fixed award is held, and nothing without one.")
        void held() {
            DrawSituation mallory = new DrawSituation(MALLORY, 5, 5, Set.of(1));
            assertThat(strategy.rules().explain(mallory, LAST))
                    .containsExactly(new Blacklisted(1), new EndedInNothing());
            Described other = Described.single()
                    .award(1, "0.1")
                    .award(3, "0.9")
                    .blacklist(1, "mallory")
                    .fallback(3);
            assertThat(other.rules().explain(mallory, LAST)).containsExactly(new Blacklisted(1), new FallenBack(3));
        }

        @Test
        @DisplayName("The blacklist does not affect other users.")
        void others() {
            assertThat(strategy.rules().explain(after(5, 5), FIRST))
                    .startsWith(new TierReached(6, 1, List.of(2)), new Picked(2, integer(1), integer(1)));
        }
    }

    @Nested
    @DisplayName("A user who has reached a tier")
    class Tiers {

        private final Described strategy = Described.single()
                .award(1, "0.9")
                .award(2, "0.01")
                .award(3, "0.03")
                .tier(10, 2, 3)
                .tier(20, 3);

        @ParameterizedTest(name = "is the {0}th one, with FLOOR among those of tier {1}")
        @CsvSource({"9, 0", "10, 10", "11, 10", "19, 10", "20, 20", "21, 20", "1000, 20"})
        void floor(int draw, int tier) {
            assertThat(tierOf(strategy, draw)).isEqualTo(tier);
        }

        @ParameterizedTest(name = "is the {0}th one, with EXACT among those of tier {1}")
        @CsvSource({"9, 0", "10, 10", "11, 0", "19, 0", "20, 20", "21, 0"})
        void exact(int draw, int tier) {
            assertThat(tierOf(strategy.exactly(), draw)).isEqualTo(tier);
        }

        private static int tierOf(Described strategy, int draw) {
            return strategy.rules().explain(after(draw - 1, 0), FIRST).getFirst() instanceof TierReached reached
                    ? reached.from()
                    : 0;
        }

        @Test
        @DisplayName("A tier always picks one of its awards, in proportion to the rates.")
        void inProportion() {
            DrawSituation tenth = new DrawSituation(ANN, 9, 0, Set.of());
            assertThat(new Domain(strategy.rules(), tenth).shares(2, 3)).containsExactly(0, 250, 750, 0);
        }

        @Test
        @DisplayName("Locks and stock limit the awards of a tier as usual.")
        void throughTheTree() {
            Described withLimits = Described.single()
                    .award(1, "0.9")
                    .locked(2, "0.05", 3)
                    .limited(3, "0.05", 1)
                    .fallback(1)
                    .tier(10, 2)
                    .tier(20, 3);
            assertThat(first(withLimits, after(9, 2)).outcome()).isEqualTo(Outcome.FALLBACK);
            assertThat(first(withLimits, after(9, 3)).outcome()).isEqualTo(Outcome.WON);
            assertThat(first(withLimits, after(19, 0, 3)).outcome()).isEqualTo(Outcome.FALLBACK);
        }
    }

    @Nested
    @DisplayName("A tree of the operator")
    class OwnTree {

        /** Gives award 2 from a user's fifth draw on, and nothing before, not even the fallback. */
        private final TreeDefinition patience = new TreeDefinition(
                "which",
                List.of(
                        new Node("which", "award", NodeValueType.NUMBER, null),
                        new Node("patience", "drawsBefore", NodeValueType.NUMBER, null),
                        new Node("yes", null, null, "WIN"),
                        new Node("no", null, null, "NOTHING")),
                List.of(
                        new Line("which", "patience", Comparison.EQUAL, List.of("2")),
                        new Line("which", "yes", Comparison.ONE_OF, List.of("1", "3")),
                        new Line("patience", "yes", Comparison.AT_LEAST, List.of("4")),
                        new Line("patience", "no", Comparison.LESS, List.of("4"))));

        private final Described strategy =
                Described.single().award(2, "0.5").award(1, "0.5").fallback(1).tree(patience);

        @ParameterizedTest(name = "after {0} draws comes to {1}")
        @CsvSource({"3, NOTHING", "4, WON"})
        void looksAtMore(int drawsBefore, Outcome outcome) {
            assertThat(first(strategy, after(drawsBefore, 0)).outcome()).isEqualTo(outcome);
        }

        @Test
        @DisplayName("A tree without locks and stock still gives no award that is locked or sold out.")
        void noWayAround() {
            Described all = Described.single()
                    .limited(2, "0.5", 1)
                    .award(1, "0.5")
                    .fallback(1)
                    .tree(patience);
            assertThat(first(all, after(4, 0, 2)).outcome()).isEqualTo(Outcome.FALLBACK);
            Described locked = Described.single()
                    .locked(2, "0.5", 9)
                    .award(1, "0.5")
                    .fallback(1)
                    .tree(patience);
            assertThat(first(locked, after(8, 8)).outcome()).isEqualTo(Outcome.FALLBACK);
            assertThat(first(locked, after(9, 9)).outcome()).isEqualTo(Outcome.WON);
        }

        @Test
        @DisplayName("A tree in which no line fits gives the fallback.")
        void noLine() {
            Described four = Described.single()
                    .award(4, "0.5")
                    .award(1, "0.5")
                    .fallback(1)
                    .tree(patience);
            assertThat(first(four, after(4, 0)).outcome()).isEqualTo(Outcome.FALLBACK);
        }
    }

    @Nested
    @DisplayName("An award whose amount varies")
    class VaryingAmount {

        @Test
        @DisplayName("The amount comes from the same random numbers, uniform from min to max, at the finer scale.")
        void uniform() {
            CompiledStrategy rules =
                    Described.single().varying(1, "1", "0.5", "0.54").rules();
            TreeMap<BigDecimal, Integer> drawn = new TreeMap<>();
            for (int i = 0; i < 50_000; i++) {
                drawn.merge(rules.decide(after(0, 0), lots).amount(), 1, Integer::sum);
            }
            assertThat(drawn.keySet())
                    .containsExactly(
                            new BigDecimal("0.50"),
                            new BigDecimal("0.51"),
                            new BigDecimal("0.52"),
                            new BigDecimal("0.53"),
                            new BigDecimal("0.54"));
            assertThat(drawn.values()).allMatch(count -> count > 9_600 && count < 10_400);
        }

        @Test
        @DisplayName("The amount reaches both ends, and the reasons name its range.")
        void ends() {
            CompiledStrategy rules =
                    Described.single().varying(1, "1", "1", "100").rules();
            assertThat(rules.decide(after(0, 0), FIRST).amount()).isEqualTo("1");
            assertThat(rules.decide(after(0, 0), LAST).amount()).isEqualTo("100");
            assertThat(rules.explain(after(0, 0), FIRST))
                    .endsWith(new AmountDrawn(BigDecimal.ONE, BigDecimal.ONE, new BigDecimal("100")));
        }

        @Test
        @DisplayName("A draw that falls back gets the fallback's amount.")
        void ofTheFallback() {
            Described strategy = Described.single()
                    .limited(2, "0.5", 1)
                    .varying(1, "0.5", "5", "9")
                    .fallback(1);
            assertThat(first(strategy, after(0, 0, 2)).amount()).isEqualTo("5");
        }
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    @DisplayName("A decision that is repeated has the same result, and the reasons lead to the same award.")
    void pure(Mode mode) {
        Described strategy = Described.in(mode)
                .varying(1, "0.3", "1", "50")
                .limited(2, "0.3", 5)
                .locked(3, "0.3", 4)
                .fallback(1)
                .tier(50, 2, 3);
        for (int i = 0; i < 2_000; i++) {
            long seed = random.nextLong();
            DrawSituation situation = after(i % 60, i % 7, i % 3 == 0 ? new Integer[] {2} : new Integer[0]);
            DrawRandomness lot = leftOut -> new Random(seed)::nextLong;
            DrawDecision decision = strategy.rules().decide(situation, lot);
            assertThat(strategy.rules().decide(situation, lot)).isEqualTo(decision);
            assertThat(last(strategy.rules().explain(situation, lot)))
                    .isEqualTo(Optional.ofNullable(decision.award())
                            .map(AwardDefinition::awardId)
                            .orElse(0));
        }
    }

    private static int last(List<DrawReason> reasons) {
        return reasons.stream()
                .mapToInt(reason -> switch (reason) {
                    case Won won -> won.awardId();
                    case FallenBack fallenBack -> fallenBack.awardId();
                    default -> 0;
                })
                .sum();
    }

    private static DrawDecision first(Described strategy, DrawSituation situation) {
        return strategy.rules().decide(situation, FIRST);
    }

    private static DrawSituation after(int drawsBefore, int drawsBeforeToday, Integer... soldOut) {
        return new DrawSituation(ANN, drawsBefore, drawsBeforeToday, Set.of(soldOut));
    }

    private static BigInteger integer(long value) {
        return BigInteger.valueOf(value);
    }

    /** Decides every possible pick, by all numbers that the randomness can give. */
    private record Domain(CompiledStrategy rules, DrawSituation situation) {

        /** Returns the shares of nothing, the two awards and the fallback, each in thousandths. */
        int[] shares(int one, int other) {
            long[] counts = new long[4];
            long all = 0;
            OdometerStream numbers = new OdometerStream();
            do {
                DrawDecision decision = rules.decide(situation, leftOut -> numbers.begin());
                int place = place(decision, one, other);
                long weight = numbers.weight();
                counts[place] += weight;
                all += weight;
            } while (numbers.advance());
            long whole = all;
            return IntStream.range(0, 4)
                    .map(i -> (int) Math.round(1_000.0 * counts[i] / whole))
                    .toArray();
        }

        private static int place(DrawDecision decision, int one, int other) {
            AwardDefinition award = decision.award();
            if (award == null) {
                return 0;
            }
            return decision.outcome() == Outcome.FALLBACK
                    ? 3
                    : List.of(one, other).indexOf(award.awardId()) + 1;
        }
    }

    /** Counts through all sequences of numbers like an odometer. A short one weighs as much as its extensions. */
    private static final class OdometerStream {

        private static final long WEIGHT = 1L << 40;

        private final List<long[]> digits = new ArrayList<>();
        private int at;

        RandomStream begin() {
            at = 0;
            return bound -> {
                if (at == digits.size()) {
                    digits.add(new long[] {0, bound});
                }
                return digits.get(at++)[0];
            };
        }

        long weight() {
            double weight = WEIGHT;
            for (long[] digit : digits) {
                weight /= digit[1];
            }
            return Math.round(weight);
        }

        boolean advance() {
            while (!digits.isEmpty()) {
                long[] last = digits.getLast();
                if (++last[0] < last[1]) {
                    return true;
                }
                digits.removeLast();
            }
            return false;
        }
    }
}
