package lottery.api;

/**
 * A wish that one aggregate decides about.
 *
 * @param <R> what it answers when it agrees; when it does not, the answer is a {@link Refused}
 */
@SuppressWarnings("unused") // R ties a command to its answer for whoever sends it.
public interface Command<R> {

    AggregateId target();
}
