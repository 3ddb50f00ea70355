package lottery.rule;

import lottery.api.strategy.AwardDefinition;
import org.jspecify.annotations.Nullable;

/**
 * The result of a pick from a pool.
 *
 * @param award the picked award; null if none was picked, or if all awards are left out
 */
record AwardPick(@Nullable AwardDefinition award, boolean isNoneLeft) {

    static final AwardPick NOTHING = new AwardPick(null, false);

    static final AwardPick NONE_LEFT = new AwardPick(null, true);

    static AwardPick of(AwardDefinition award) {
        return new AwardPick(award, false);
    }
}
