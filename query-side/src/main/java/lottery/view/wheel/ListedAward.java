package lottery.view.wheel;

import static java.util.Objects.requireNonNull;

import java.util.Comparator;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardType;
import org.jspecify.annotations.Nullable;

/** An award of a strategy as its activities show it, whether or not it is sold out there. */
record ListedAward(
        int awardId, String title, @Nullable String subtitle, int sort, AwardType type, int lockedUntilDraws) {

    /** Awards with the same place are in the order of their ids, so that the wheel looks alike each time. */
    static final Comparator<ListedAward> ORDER =
            Comparator.comparingInt(ListedAward::sort).thenComparingInt(ListedAward::awardId);

    ListedAward {
        requireNonNull(title);
        requireNonNull(type);
    }

    static ListedAward of(AwardDefinition award) {
        return new ListedAward(
                award.awardId(), award.title(), award.subtitle(), award.sort(), award.type(), award.lockedUntilDraws());
    }

    WheelPlace place(boolean soldOut) {
        return new WheelPlace(awardId, title, subtitle, sort, type, new AwardLock(lockedUntilDraws), soldOut);
    }
}
