package lottery.view.wheel;

import static java.util.Objects.requireNonNull;

import java.util.Comparator;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardType;
import org.jspecify.annotations.Nullable;

/** An award of a strategy as its activities show it, sold out or not. */
record StrategyWheelAward(
        int awardId,
        String title,
        @Nullable String subtitle,
        int sort,
        AwardType type,
        int lockedUntilDraws,
        @Nullable Integer maxPerUser) {

    /** Sorts awards with the same place by their ids, so that the wheel always has the same order. */
    static final Comparator<StrategyWheelAward> ORDER =
            Comparator.comparingInt(StrategyWheelAward::sort).thenComparingInt(StrategyWheelAward::awardId);

    StrategyWheelAward {
        requireNonNull(title);
        requireNonNull(type);
    }

    static StrategyWheelAward of(AwardDefinition award) {
        return new StrategyWheelAward(
                award.awardId(),
                award.title(),
                award.subtitle(),
                award.sort(),
                award.type(),
                award.lockedUntilDraws(),
                award.maxPerUser());
    }

    WheelPlace place(boolean soldOut, boolean held) {
        return new WheelPlace(
                awardId, title, subtitle, sort, type, new AwardLock(lockedUntilDraws), soldOut, held, maxPerUser);
    }
}
