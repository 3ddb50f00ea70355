package lottery.api;

/**
 * Something that happened. Every event is a record with an {@link EventName} in one of the families of
 * {@link EventNames}.
 */
public interface Event {}
