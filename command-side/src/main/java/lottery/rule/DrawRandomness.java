package lottery.rule;

import java.util.Collection;

/** The randomness of one draw. */
@FunctionalInterface
public interface DrawRandomness {

    /**
     * Returns the numbers of this draw for a pick without certain awards, from the first number on. Numbers for
     * different sets of awards are independent. So if a pick is repeated because its award was just sold out, it is as
     * fair as the first pick.
     *
     * @param leftOut the awards' ids, in ascending order
     */
    RandomStream without(Collection<Integer> leftOut);
}
