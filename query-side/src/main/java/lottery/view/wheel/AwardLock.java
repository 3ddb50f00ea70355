package lottery.view.wheel;

/**
 * A lock that keeps an award from being won until a user has drawn often enough on a day. It counts like a draw: an
 * award that needs n draws can be won by a draw with n earlier ones on that day.
 */
record AwardLock(int lockedUntilDraws) {

    int drawsToUnlock(int drawsToday) {
        return Math.max(0, lockedUntilDraws - drawsToday);
    }
}
