package lottery.api.award;

import java.util.List;
import lottery.api.strategy.AwardType;
import org.jspecify.annotations.Nullable;

/** The awards of an activity as one user sees them, in the order of the wheel. */
public record UserWheel(List<WheelAward> fields) {

    /**
     * One award on the wheel.
     *
     * @param lockedUntilDraws how many draws on a day unlock it; 0 if it is never locked
     * @param drawsToUnlock how many more draws unlock it today
     * @param held whether an operator holds it, so that draws do not win it for now
     * @param maxPerUser how often one user can win it; null if there is no limit
     * @param reached whether the user has won it that often, so that the user cannot win it again
     */
    public record WheelAward(
            int awardId,
            String title,
            @Nullable String subtitle,
            int sort,
            AwardType type,
            int lockedUntilDraws,
            boolean unlocked,
            int drawsToUnlock,
            boolean soldOut,
            boolean held,
            @Nullable Integer maxPerUser,
            boolean reached) {}

    public UserWheel {
        fields = List.copyOf(fields);
    }
}
