package lottery.api;

/**
 * The id of an aggregate. The event store keeps its text, including the prefix. One unique index covers the ids of all
 * types of aggregates. So each type has a prefix of its own, and refuses texts with another prefix.
 */
public interface AggregateId {

    /** Returns the text under which the store knows this aggregate. */
    String text();
}
