package lottery.rule;

/** Numbers that nobody could foresee; the same lot always says the same ones in the same order. */
@FunctionalInterface
public interface RandomStream {

    /** The next number, uniform in [0, bound). */
    long below(long bound);
}
