package lottery.rule;

import lottery.api.strategy.AwardDefinition;
import org.jspecify.annotations.Nullable;

/**
 * What a pool gave.
 *
 * @param award none if the lot picked none of the awards, or if all of them are left out
 */
record Pick(@Nullable AwardDefinition award, boolean isNoneLeft) {

    static final Pick NOTHING = new Pick(null, false);

    static final Pick NONE_LEFT = new Pick(null, true);

    static Pick of(AwardDefinition award) {
        return new Pick(award, false);
    }
}
