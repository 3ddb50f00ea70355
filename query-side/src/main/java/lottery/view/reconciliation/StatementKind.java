package lottery.view.reconciliation;

/** The direction of money in a line of a statement. */
enum StatementKind {
    TAKEN,
    REFUNDED
}
