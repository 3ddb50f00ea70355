package lottery.view.odds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.MathContext;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The confidence interval of a share")
class BinomialIntervalTest {

    @ParameterizedTest
    @CsvSource({"0,1", "1,1", "0,100", "1,100", "50,100", "99,100", "100,100", "3,1000", "700,1000"})
    @DisplayName("At each end of the interval the exact probability is the limit.")
    void exact(int successes, int trials) {
        BinomialInterval binomial = new BinomialInterval(successes, trials);
        double low = binomial.low(0.0005);
        double high = binomial.high(0.0005);

        assertThat(low).isLessThanOrEqualTo((double) successes / trials);
        assertThat(high).isGreaterThanOrEqualTo((double) successes / trials);
        if (successes > 0) {
            assertThat(atLeast(successes, trials, low)).isCloseTo(0.0005, within(1e-9));
        } else {
            assertThat(low).isZero();
        }
        if (successes < trials) {
            assertThat(1 - atLeast(successes + 1, trials, high)).isCloseTo(0.0005, within(1e-9));
        } else {
            assertThat(high).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("The interval is narrow for many draws, and exact for rare awards.")
    void large() {
        BinomialInterval half = new BinomialInterval(50_000_000, 100_000_000);
        assertThat(half.low(0.0005)).isCloseTo(0.5 - 3.2905 * 0.00005, within(1e-7));
        assertThat(half.high(0.0005)).isCloseTo(0.5 + 3.2905 * 0.00005, within(1e-7));

        BinomialInterval rare = new BinomialInterval(1, 10_000_000);
        assertThat(rare.low(0.0005)).isCloseTo(5.0e-11, within(1e-13));
        assertThat(rare.high(0.0005)).isCloseTo(9.999e-7, within(1e-9));
    }

    private static double atLeast(int successes, int trials, double share) {
        BigDecimal p = new BigDecimal(share);
        BigDecimal q = BigDecimal.ONE.subtract(p);
        MathContext digits = new MathContext(50);
        BigDecimal sum = BigDecimal.ZERO;
        BigDecimal ways = BigDecimal.ONE;
        for (int k = 0; k <= trials; k++) {
            if (k >= successes) {
                sum = sum.add(ways.multiply(p.pow(k, digits)).multiply(q.pow(trials - k, digits)), digits);
            }
            ways = ways.multiply(BigDecimal.valueOf(trials - k), digits).divide(BigDecimal.valueOf(k + 1), digits);
        }
        return sum.doubleValue();
    }
}
