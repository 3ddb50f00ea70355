package lottery.rule;

import java.util.Collection;

/** The randomness of one draw. */
@FunctionalInterface
public interface DrawRandomness {

    /**
     * Returns the numbers of this draw for a pick without certain awards, from the first number on. The numbers for
     * different sets of awards are independent of each other. So if an award was just sold out and the pick is repeated
     * without it, the repeated pick is as fair as the first one.
     *
     * @param leftOut the awards' ids, in ascending order
     */
    RandomStream without(Collection<Integer> leftOut);
}
