package lottery.fulfilment.code;

/** The decision about an award record that asked for a code. */
enum CodeDecision {
    /** One code is this record's, for ever. */
    GIVEN,
    /** There was none, and there will be none for this record. */
    REFUSED,
    /** Nobody has ever uploaded codes for this award: somebody else may hand it over, or will upload them. */
    NO_POOL
}
