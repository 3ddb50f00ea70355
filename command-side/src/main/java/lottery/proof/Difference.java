package lottery.proof;

/**
 * A fact about a draw that cannot follow from the rules.
 *
 * @param recorded the stored value
 * @param recomputed the correct value; where it cannot be computed, the value that it was compared with
 */
record Difference(DifferenceMatter matter, String recorded, String recomputed) {

    /** The subject of a difference. */
    enum DifferenceMatter {
        /** There is no such version of the strategy, so that nothing else can be checked about the outcome. */
        STRATEGY_VERSION,
        OUTCOME,
        AWARD,
        AMOUNT,
        /** The awards that the user had won as often as one user can do not follow from the user's earlier draws. */
        REACHED,
        /** There is no such round, so that nothing can be checked about the ticket. */
        ROUND,
        /** The seed of the round does not match its commitment. */
        COMMITMENT,
        /** The round has not committed to this version of the strategy, or to another seed, hash or number of it. */
        ROUND_COMMITMENT,
        /** The ticket does not follow from the seed and the order. */
        TICKET,
        /** The pool has other entries than its root and their number say. */
        POOL_ROOT,
        /** The key of the order does not follow from the seed, the root and the public random value. */
        DRAW_KEY,
        /** An entry has won that does not have this place in the order of the lots, or a place has not won. */
        PLACE
    }

    @Override
    public String toString() {
        return "%s is %s, should be %s".formatted(matter, recorded, recomputed);
    }
}
