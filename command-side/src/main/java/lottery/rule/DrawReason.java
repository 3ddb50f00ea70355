package lottery.rule;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A step towards a decision. All steps in their order explain the outcome of a draw. */
public sealed interface DrawReason {

    record Blacklisted(int awardId) implements DrawReason {}

    /**
     * The user has reached a tier, and picks from its awards alone.
     *
     * @param draw the number of this draw among the user's draws in the activity, counted from 1
     */
    record TierReached(int draw, int from, List<Integer> awardIds) implements DrawReason {

        public TierReached {
            awardIds = List.copyOf(awardIds);
        }
    }

    /** An operator holds these awards, so they count as sold out. */
    record AwardsHeld(List<Integer> awardIds) implements DrawReason {

        public AwardsHeld {
            awardIds = List.copyOf(awardIds);
        }
    }

    /** These awards cost more than is left of the budget, so they count as sold out. */
    record OverBudget(List<Integer> awardIds) implements DrawReason {

        public OverBudget {
            awardIds = List.copyOf(awardIds);
        }
    }

    /** The user has reached the limit of these awards, so they count as sold out. */
    record LimitReached(List<Integer> awardIds) implements DrawReason {

        public LimitReached {
            awardIds = List.copyOf(awardIds);
        }
    }

    /** Sold-out awards were left out, and the other awards share their odds. */
    record LeftOut(List<Integer> soldOut) implements DrawReason {

        public LeftOut {
            soldOut = List.copyOf(soldOut);
        }
    }

    /**
     * The random number picked this award.
     *
     * @param weight how many of {@code of} equally likely cases pick this award
     */
    record Picked(int awardId, BigInteger weight, BigInteger of) implements DrawReason {}

    record PickedNothing() implements DrawReason {}

    /** All awards that could have been picked are sold out. */
    record NoneLeft() implements DrawReason {}

    /** A node of the tree has looked at its matter, and a line was followed. */
    record Looked(
            String node, @Nullable String matter, @Nullable String value, String to) implements DrawReason {}

    record Won(int awardId) implements DrawReason {}

    record FallenBack(int awardId) implements DrawReason {}

    record EndedInNothing() implements DrawReason {}

    record AmountDrawn(BigDecimal amount, BigDecimal min, BigDecimal max) implements DrawReason {}
}
