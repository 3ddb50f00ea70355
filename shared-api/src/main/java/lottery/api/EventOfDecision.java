package lottery.api;

/** An event of a kind that persons decide about. If a person has decided, the event has an actor. */
public interface EventOfDecision extends Event {}
