package lottery.view.redis;

/**
 * A value and its version.
 *
 * @param version the sequence number of the newest event of its aggregate that the value includes; -1 if there is none
 */
public record Versioned<V>(V value, long version) {}
