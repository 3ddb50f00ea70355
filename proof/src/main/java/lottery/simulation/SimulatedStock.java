package lottery.simulation;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Objects;
import lottery.api.strategy.AwardDefinition;
import org.jspecify.annotations.Nullable;

/** The stock of an award in one run, and the amount of the award that was given. */
final class SimulatedStock {

    /**
     * The sum above which {@code amounts} is moved to {@code amountsBefore}. An amount has at most 15 digits, so this
     * sum plus one more amount fits into a long.
     */
    private static final long SUM_MAX = Long.MAX_VALUE / 2;

    private final AwardDefinition award;
    private int left;
    private int count;
    private int soldOutAfter = SimulationRunResult.NEVER;
    private int scale;
    private long amounts;
    private BigInteger amountsBefore = BigInteger.ZERO;

    SimulatedStock(AwardDefinition award) {
        this.award = award;
        this.left = Objects.requireNonNullElse(award.stock(), Integer.MAX_VALUE);
    }

    /** Gives one unit, and returns whether it was the last one. */
    boolean give(@Nullable BigDecimal amount, int draw) {
        count++;
        if (amount != null) {
            add(amount);
        }
        if (award.stock() == null) {
            return false;
        }
        left--;
        if (left == 0) {
            soldOutAfter = draw + 1;
        }
        return left == 0;
    }

    /** Adds an amount. All amounts of an award have the same scale. */
    private void add(BigDecimal amount) {
        scale = amount.scale();
        amounts += amount.unscaledValue().longValue();
        if (amounts > SUM_MAX) {
            amountsBefore = amountsBefore.add(BigInteger.valueOf(amounts));
            amounts = 0;
        }
    }

    SimulationRunResult.GivenAward given() {
        return new SimulationRunResult.GivenAward(count, soldOutAfter, cost());
    }

    /**
     * Returns the cost of all given units. If the amount of the award varies, the cost of the award applies to each
     * unit of the amount.
     */
    private BigDecimal cost() {
        BigDecimal one = Objects.requireNonNullElse(award.cost(), BigDecimal.ZERO);
        return one.multiply(award.amount() == null ? BigDecimal.valueOf(count) : amount());
    }

    private BigDecimal amount() {
        return new BigDecimal(amountsBefore.add(BigInteger.valueOf(amounts)), scale);
    }
}
