package lottery.api;

/**
 * The identity of an aggregate. The store keeps its text, including the prefix. One unique index serves all types of
 * aggregates. So each type has its own prefix, and refuses the prefixes of others.
 */
public interface AggregateId {

    /** Returns the text under which the store knows this aggregate. */
    String text();
}
