package lottery.api;

/**
 * The identity of an aggregate. The store keeps its text, prefix included. One unique index serves all types of
 * aggregates, so each type has a prefix of its own and refuses the others'.
 */
public interface AggregateId {

    /** Returns the text under which the store knows this aggregate. */
    String text();
}
