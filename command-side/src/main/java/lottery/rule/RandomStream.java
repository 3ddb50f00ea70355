package lottery.rule;

/** Random numbers that nobody can predict. The same ticket always gives the same numbers in the same order. */
@FunctionalInterface
public interface RandomStream {

    /** Returns the next number, uniform in [0, bound). */
    long below(long bound);
}
