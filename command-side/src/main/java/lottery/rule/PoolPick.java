package lottery.rule;

import lottery.api.strategy.AwardDefinition;
import org.jspecify.annotations.Nullable;

/**
 * The result of a pick from a pool.
 *
 * @param award null if no award was picked, or if all of them are left out
 */
record PoolPick(@Nullable AwardDefinition award, boolean isNoneLeft) {

    static final PoolPick NOTHING = new PoolPick(null, false);

    static final PoolPick NONE_LEFT = new PoolPick(null, true);

    static PoolPick of(AwardDefinition award) {
        return new PoolPick(award, false);
    }
}
