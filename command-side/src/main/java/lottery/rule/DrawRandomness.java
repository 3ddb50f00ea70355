package lottery.rule;

import java.util.Collection;

/** The randomness of one draw. */
@FunctionalInterface
public interface DrawRandomness {

    /**
     * Returns the numbers of this draw for a pick without certain awards, from the first one on. Numbers for different
     * sets of awards are independent. So a pick that is repeated because its award was just sold out is as fair as a
     * first one.
     *
     * @param leftOut the awards' ids, in ascending order
     */
    RandomStream without(Collection<Integer> leftOut);
}
