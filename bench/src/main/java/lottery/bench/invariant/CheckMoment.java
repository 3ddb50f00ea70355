package lottery.bench.invariant;

/** The moment at which a check is made. */
public enum CheckMoment {
    /** While the lottery is working: what has begun may have its end still before it. */
    IN_FLIGHT,
    /** After it has come to rest: whatever has begun must have come to its end. */
    AT_REST
}
