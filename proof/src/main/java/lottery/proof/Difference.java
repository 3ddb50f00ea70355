package lottery.proof;

/**
 * A fact about a draw that cannot follow from the rules.
 *
 * @param recorded the stored value
 * @param recomputed the correct value; if it cannot be computed, the value that the stored one was compared with
 */
record Difference(DifferenceMatter matter, String recorded, String recomputed) {

    /** The subject of a difference. */
    enum DifferenceMatter {
        /**
         * The version of the strategy that the draw names does not exist, so nothing else about the outcome can be
         * checked.
         */
        STRATEGY_VERSION,
        OUTCOME,
        AWARD,
        AMOUNT,
        /** The awards with a limit that the user had reached do not follow from the user's earlier draws. */
        REACHED,
        /** The round that the draw names does not exist, so nothing about the ticket can be checked. */
        ROUND,
        /** The seed of the round does not match its commitment. */
        COMMITMENT,
        /**
         * The round has not committed to this version of the strategy, or the round's commitment was made over another
         * seed, hash or version number.
         */
        ROUND_COMMITMENT,
        /** The ticket does not follow from the seed and the order. */
        TICKET,
        /** The entries of the pool do not match its root or their number. */
        POOL_ROOT,
        /** The key of the order does not follow from the seed, the root and the public random value. */
        DRAW_KEY,
        /** The public random value is not signed by its source, or is one of another time than that of the draw. */
        BEACON_VALUE,
        /** An entry has won a place that is not its place in the order of the lots, or a place has not won. */
        PLACE
    }

    @Override
    public String toString() {
        return "%s is %s, should be %s".formatted(matter, recorded, recomputed);
    }
}
