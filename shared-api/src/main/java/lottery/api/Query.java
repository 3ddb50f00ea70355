package lottery.api;

/**
 * A question to the read models.
 *
 * @param <R> the answer
 */
@SuppressWarnings("unused") // R ties a question to its answer for the caller.
public interface Query<R> {}
