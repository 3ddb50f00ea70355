package lottery.view.wheel;

/**
 * A lock that keeps an award from being won until a user has drawn often enough on a day. The wheel counts in the same
 * way as the draw: an award that needs n draws can be won after n earlier draws on that day.
 */
record AwardLock(int lockedUntilDraws) {

    int drawsToUnlock(int drawsToday) {
        return Math.max(0, lockedUntilDraws - drawsToday);
    }
}
