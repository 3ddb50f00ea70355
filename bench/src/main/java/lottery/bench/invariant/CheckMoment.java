package lottery.bench.invariant;

/** The moment at which a check is made. */
public enum CheckMoment {
    /** The lottery is working: a saga that has begun may not have ended yet. */
    IN_FLIGHT,
    /** The lottery is at rest: every saga that has begun must have ended. */
    AT_REST
}
