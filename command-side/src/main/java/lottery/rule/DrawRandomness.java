package lottery.rule;

import java.util.Collection;

/** The randomness of one draw. */
@FunctionalInterface
public interface DrawRandomness {

    /**
     * Returns the random numbers of this draw for a pick that leaves some awards out, starting with the first number.
     * The numbers for different sets of awards are independent of each other. So if an award was just sold out and the
     * pick is repeated without it, the repeated pick is as fair as the first one.
     *
     * @param leftOut the awards' ids, in ascending order
     */
    RandomStream without(Collection<Integer> leftOut);
}
