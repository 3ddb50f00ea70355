package lottery.rule;

import java.util.Collection;

/** The randomness of one draw. */
@FunctionalInterface
public interface DrawRandomness {

    /**
     * The numbers of this draw for a pick without certain awards, from the first one on. Numbers for different awards
     * left out have nothing to do with each other: a pick that is repeated, because what it picked was sold out that
     * moment, is as fair as if it were the first.
     *
     * @param leftOut the awards' ids, in ascending order
     */
    RandomStream without(Collection<Integer> leftOut);
}
