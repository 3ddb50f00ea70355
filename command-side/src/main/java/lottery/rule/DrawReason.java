package lottery.rule;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A step on the way to a decision: all of them, in their order, are why a draw came to what it came to. */
public sealed interface DrawReason {

    record Blacklisted(int awardId) implements DrawReason {}

    /**
     * The user has drawn often enough to pick among these alone.
     *
     * @param draw which draw of the user in the activity this is, counted from 1
     */
    record TierReached(int draw, int from, List<Integer> awardIds) implements DrawReason {

        public TierReached {
            awardIds = List.copyOf(awardIds);
        }
    }

    /** The others share the odds of these. */
    record LeftOut(List<Integer> soldOut) implements DrawReason {

        public LeftOut {
            soldOut = List.copyOf(soldOut);
        }
    }

    /**
     * The lot has picked this award.
     *
     * @param weight in how many of {@code of} equally likely cases it does
     */
    record Picked(int awardId, BigInteger weight, BigInteger of) implements DrawReason {}

    record PickedNothing() implements DrawReason {}

    /** All awards that could have been picked are sold out. */
    record NoneLeft() implements DrawReason {}

    /** A node of the tree has looked at something. */
    record Looked(
            String node, @Nullable String matter, @Nullable String value, String to) implements DrawReason {}

    record Won(int awardId) implements DrawReason {}

    record FallenBack(int awardId) implements DrawReason {}

    record EndedInNothing() implements DrawReason {}

    record AmountDrawn(BigDecimal amount, BigDecimal min, BigDecimal max) implements DrawReason {}
}
