package lottery.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import lottery.api.UserId;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("The odds of an alias table")
class AliasTableTest {

    static Stream<List<String>> mixes() {
        return Stream.of(
                List.of("1"),
                List.of("0.5", "0.5"),
                List.of("0.2", "0.3", "0.5"),
                List.of("0.0001"),
                List.of("0.000000001", "0.9", "0.05"),
                List.of("0.000000000000000001", "0.999999999999999999"),
                List.of("0.10", "0.1", "0.100"),
                Stream.generate(() -> "0.005").limit(200).toList());
    }

    @ParameterizedTest
    @MethodSource("mixes")
    @DisplayName("Each award has exactly its share of the whole domain of picks, and nothing has the rest.")
    void exactOverTheWholeDomain(List<String> texts) {
        List<BigDecimal> rates = texts.stream().map(BigDecimal::new).toList();
        AliasTable odds = withNothing(rates);

        BigInteger[] picks = picksPerOutcome(odds, rates.size() + 1);

        BigDecimal domain =
                new BigDecimal(BigInteger.valueOf(odds.width()).multiply(BigInteger.valueOf(odds.columns())));
        BigDecimal rest = BigDecimal.ONE;
        for (int i = 0; i < rates.size(); i++) {
            assertThat(new BigDecimal(picks[i]))
                    .isEqualByComparingTo(rates.get(i).multiply(domain));
            rest = rest.subtract(rates.get(i));
        }
        assertThat(new BigDecimal(picks[rates.size()])).isEqualByComparingTo(rest.multiply(domain));
    }

    @Test
    @DisplayName("The odds are exact for any mix of rates, from 1e-9 to nearly one, and for any number of awards.")
    void exactForAnyMix() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            long left = 1_000_000_000;
            List<String> rates = new ArrayList<>();
            int awards = 1 + random.nextInt(60);
            while (rates.size() < awards && left > 0) {
                long weight = 1 + (random.nextBoolean() ? random.nextLong(left) : random.nextLong(Math.min(left, 20)));
                rates.add(BigDecimal.valueOf(weight, 9).toPlainString());
                left -= weight;
            }
            try {
                exactOverTheWholeDomain(rates);
            } catch (AssertionError e) {
                throw new AssertionError("seed %d, rates %s".formatted(seed, rates), e);
            }
        }
    }

    private static AliasTable withNothing(List<BigDecimal> rates) {
        LongStream weights = LongStream.of(AliasTable.weights(rates));
        long nothing = AliasTable.whole(rates)
                - LongStream.of(AliasTable.weights(rates)).sum();
        return AliasTable.of(LongStream.concat(weights, LongStream.of(nothing)).toArray());
    }

    /** Counts by column: a column changes its outcome once, at a threshold that halving finds. */
    private static BigInteger[] picksPerOutcome(AliasTable odds, int outcomes) {
        BigInteger[] picks = new BigInteger[outcomes];
        IntStream.range(0, outcomes).forEach(i -> picks[i] = BigInteger.ZERO);
        for (int column = 0; column < odds.columns(); column++) {
            long own = ownPositions(odds, column);
            picks[column] = picks[column].add(BigInteger.valueOf(own));
            if (own < odds.width()) {
                int alias = odds.at(column, odds.width() - 1);
                picks[alias] = picks[alias].add(BigInteger.valueOf(odds.width() - own));
            }
        }
        return picks;
    }

    /** Finds by halving how many positions of a column belong to its own outcome. */
    private static long ownPositions(AliasTable odds, int column) {
        long low = 0;
        long high = odds.width();
        while (low < high) {
            long middle = low + (high - low) / 2;
            if (odds.at(column, middle) == column && odds.at(column, odds.width() - 1) != column) {
                low = middle + 1;
            } else if (odds.at(column, middle) == column) {
                return odds.width();
            } else {
                high = middle;
            }
        }
        return low;
    }

    @Test
    @DisplayName("Many draws give the promised odds, within a bound that an error of one percent would exceed.")
    void drawnAsPromised() {
        CompiledStrategy rules = Described.single()
                .award(1, "0.5")
                .award(2, "0.3")
                .award(3, "0.1")
                .rules();
        Random random = new Random(20261121);
        long[] drawn = new long[4];
        int draws = 10_000_000;
        DrawSituation situation = new DrawSituation(new UserId("ann"), 0, 0, Set.of());

        for (int i = 0; i < draws; i++) {
            DrawDecision decision = rules.decide(situation, leftOut -> random::nextLong);
            drawn[decision.award() == null ? 3 : decision.award().awardId() - 1]++;
        }

        double[] expected = {0.5, 0.3, 0.1, 0.1};
        double chiSquare = IntStream.range(0, 4)
                .mapToDouble(i -> Math.pow(drawn[i] - expected[i] * draws, 2) / (expected[i] * draws))
                .sum();
        // Has three degrees of freedom: one in a thousand fair runs exceeds 16.3. An error of one percent in the
        // smallest rate gives about 100, in the first one about 500.
        assertThat(chiSquare).isLessThan(16.3);
    }
}
