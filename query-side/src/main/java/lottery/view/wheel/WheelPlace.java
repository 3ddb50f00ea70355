package lottery.view.wheel;

import lottery.api.award.UserWheel;
import lottery.api.strategy.AwardType;
import org.jspecify.annotations.Nullable;

/** An award on the wheel, as all users see it. */
record WheelPlace(
        int awardId,
        String title,
        @Nullable String subtitle,
        int sort,
        AwardType type,
        AwardLock lock,
        boolean soldOut,
        boolean held,
        @Nullable Integer maxPerUser) {

    /** Returns whether a user with this number of wins has reached the limit of the award. */
    boolean isReachedBy(int wins) {
        return maxPerUser != null && wins >= maxPerUser;
    }

    UserWheel.WheelAward after(int drawsToday, boolean reached) {
        int drawsToUnlock = lock.drawsToUnlock(drawsToday);
        return new UserWheel.WheelAward(
                awardId,
                title,
                subtitle,
                sort,
                type,
                lock.lockedUntilDraws(),
                drawsToUnlock == 0,
                drawsToUnlock,
                soldOut,
                held,
                maxPerUser,
                reached);
    }
}
