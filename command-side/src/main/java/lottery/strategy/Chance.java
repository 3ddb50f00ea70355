package lottery.strategy;

/** Where a draw's randomness comes from; the same ticket always says the same numbers in the same order. */
@FunctionalInterface
public interface Chance {

    /** The next number, uniform in [0, bound). */
    long below(long bound);
}
