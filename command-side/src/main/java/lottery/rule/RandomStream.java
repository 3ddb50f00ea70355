package lottery.rule;

/** Random numbers that nobody can foresee; the same ticket always gives the same ones in the same order. */
@FunctionalInterface
public interface RandomStream {

    /** Returns the next number, uniform in [0, bound). */
    long below(long bound);
}
