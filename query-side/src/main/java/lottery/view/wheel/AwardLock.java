package lottery.view.wheel;

/**
 * A lock that keeps an award from being won until a user has drawn often enough on a day. It counts as a draw itself
 * counts: an award that needs n draws can be won by the draw that has n of that day before it.
 */
record AwardLock(int lockedUntilDraws) {

    int drawsToUnlock(int drawsToday) {
        return Math.max(0, lockedUntilDraws - drawsToday);
    }
}
