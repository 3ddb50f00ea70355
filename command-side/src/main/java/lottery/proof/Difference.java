package lottery.proof;

/**
 * Something about a draw that cannot have come about by the rules.
 *
 * @param recorded as it was written down
 * @param recomputed as it should be; what it was compared with, where it cannot be computed
 */
record Difference(DifferenceMatter matter, String recorded, String recomputed) {

    /** What differs. */
    enum DifferenceMatter {
        /** There is no such version of the strategy, so that nothing else can be said of the outcome. */
        STRATEGY_VERSION,
        OUTCOME,
        AWARD,
        AMOUNT,
        /** There is no such round, so that nothing can be said of the ticket. */
        ROUND,
        /** The seed of the round is not the one that was committed to. */
        COMMITMENT,
        /** The ticket does not follow from the seed and the order. */
        TICKET
    }

    @Override
    public String toString() {
        return "%s is %s, should be %s".formatted(matter, recorded, recomputed);
    }
}
