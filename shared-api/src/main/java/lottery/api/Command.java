package lottery.api;

/**
 * A request that one aggregate decides about.
 *
 * @param <R> the result if the aggregate agrees; if it does not agree, the answer is a {@link Refused}
 */
@SuppressWarnings("unused") // R ties a command to its result for the sender.
public interface Command<R> {

    AggregateId target();

    /** Returns what a refusal of the command names. */
    default AggregateId subject() {
        return target();
    }

    /** Returns whether a repeated command has the same effect as a single one, and gets the same answer. */
    default boolean isRepeatable() {
        return true;
    }
}
