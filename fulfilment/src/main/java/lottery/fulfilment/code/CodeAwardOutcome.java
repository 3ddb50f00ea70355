package lottery.fulfilment.code;

/** The decision about an award record that asked for a code. */
enum CodeAwardOutcome {
    /** One code belongs to this record for ever. */
    GIVEN,
    /** No code was left, and this record will never get one. */
    REFUSED,
    /** No codes were ever uploaded for this award. Another system may hand it over, or an upload may follow. */
    NO_POOL
}
