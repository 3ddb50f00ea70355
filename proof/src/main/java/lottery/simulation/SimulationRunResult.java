package lottery.simulation;

import java.math.BigDecimal;
import java.util.List;

/**
 * The result of one run.
 *
 * @param given how much of each award was given, with the awards in the order of the strategy
 * @param fallbacks how many draws gave the fallback in place of another award
 * @param nothings how many draws gave nothing
 */
record SimulationRunResult(List<GivenAward> given, int fallbacks, int nothings) {

    static final int NEVER = 0;

    SimulationRunResult {
        given = List.copyOf(given);
    }

    /**
     * How much of an award was given.
     *
     * @param count how often it was given, as a pick or as the fallback
     * @param soldOutAfter the number of draws until the last unit was given; {@link #NEVER} if that did not happen
     * @param cost its total cost; 0 if the award has no cost
     */
    record GivenAward(int count, int soldOutAfter, BigDecimal cost) {

        boolean isSoldOut() {
            return soldOutAfter != NEVER;
        }
    }

    BigDecimal cost() {
        return given.stream().map(GivenAward::cost).reduce(BigDecimal.ZERO, BigDecimal::add);
    }
}
