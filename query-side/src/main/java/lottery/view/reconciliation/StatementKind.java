package lottery.view.reconciliation;

/** What a line of a statement says about the money of a trade. */
enum StatementKind {
    TAKEN,
    REFUNDED
}
