package lottery.bench.invariant;

/** The moment at which a check is made. */
public enum CheckMoment {
    /** The lottery is working: a process that has begun may have its end still before it. */
    IN_FLIGHT,
    /** The lottery has come to rest: every process that has begun must have come to its end. */
    AT_REST
}
