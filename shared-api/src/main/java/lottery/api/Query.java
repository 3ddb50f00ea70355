package lottery.api;

/**
 * A question to the read models.
 *
 * @param <R> what is answered
 */
@SuppressWarnings("unused") // R ties a question to its answer for whoever asks it.
public interface Query<R> {}
