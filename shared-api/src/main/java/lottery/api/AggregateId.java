package lottery.api;

/**
 * The identity of an aggregate. Its text, prefix included, is what the store keeps: one unique index serves all types
 * of aggregates, so that each type has a prefix of its own and refuses the others'.
 */
public interface AggregateId {

    /** The text under which the store knows this aggregate. */
    String text();
}
