package lottery.view;

/**
 * A question to the read models. It has all that its answer depends on, besides the read models and the time, because
 * {@link SingleFlight} gives one answer to equal questions.
 *
 * @param <A> the answer
 */
@SuppressWarnings("unused") // A ties a question to its answer.
public interface Query<A> {}
