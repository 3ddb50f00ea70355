package lottery.view.odds;

/**
 * The confidence interval of a share, from successes out of trials. It is the exact interval (Clopper and Pearson),
 * because many awards are too rare for an approximation.
 *
 * @param successes the number of successes, from zero up to the number of trials
 * @param trials the number of trials, at least one
 */
record BinomialInterval(long successes, long trials) {

    private static final int HALVINGS = 200;
    private static final int TERMS_MAX = 100_000;
    private static final double TINY = 1e-300;
    private static final double EPSILON = 1e-15;
    private static final double LARGE = 20;

    /**
     * Returns the lower end of the interval: the share with which the probability of so many successes, or more,
     * reaches {@code unlikely}; 0 without a success.
     */
    double low(double unlikely) {
        return successes == 0
                ? 0
                : solve(share -> incompleteBeta((double) successes, trials - successes + 1.0, share) >= unlikely);
    }

    /**
     * Returns the upper end of the interval: the share with which the probability of so few successes, or fewer, falls
     * to {@code unlikely}; 1 if all trials were successes.
     */
    double high(double unlikely) {
        return successes == trials
                ? 1
                : solve(share -> incompleteBeta(successes + 1.0, (double) trials - successes, share) >= 1 - unlikely);
    }

    private interface ShareTest {
        boolean isReached(double share);
    }

    private static double solve(ShareTest test) {
        double low = 0;
        double high = 1;
        for (int i = 0; i < HALVINGS && high > low; i++) {
            double middle = (low + high) / 2;
            if (middle == low || middle == high) {
                break;
            }
            if (test.isReached(middle)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }

    /**
     * Computes the regularised incomplete beta function by its continued fraction, on the side where the fraction
     * converges quickly.
     */
    private static double incompleteBeta(double a, double b, double x) {
        if (x <= 0 || x >= 1) {
            return x <= 0 ? 0 : 1;
        }
        double front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
        return x < (a + 1) / (a + b + 2)
                ? front * continuedFraction(a, b, x) / a
                : 1 - front * continuedFraction(b, a, 1 - x) / b;
    }

    private static double continuedFraction(double a, double b, double x) {
        double c = 1;
        double d = 1 / notZero(1 - (a + b) * x / (a + 1));
        double result = d;
        for (int m = 1; m <= TERMS_MAX; m++) {
            double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
            d = 1 / notZero(1 + even * d);
            c = notZero(1 + even / c);
            result *= d * c;
            double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
            d = 1 / notZero(1 + odd * d);
            c = notZero(1 + odd / c);
            result *= d * c;
            if (Math.abs(d * c - 1) < EPSILON) {
                break;
            }
        }
        return result;
    }

    private static double notZero(double value) {
        return Math.abs(value) < TINY ? TINY : value;
    }

    /**
     * Computes the logarithm of the gamma function by Stirling's series. The series is exact to the last digits for
     * large numbers, so small numbers are shifted up first.
     */
    private static double logGamma(double x) {
        double moved = 0;
        double large = x;
        while (large < LARGE) {
            moved += Math.log(large);
            large++;
        }
        double square = 1 / (large * large);
        double series = (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square / 1680))) / large;
        return (large - 0.5) * Math.log(large) - large + Math.log(2 * Math.PI) / 2 + series - moved;
    }
}
