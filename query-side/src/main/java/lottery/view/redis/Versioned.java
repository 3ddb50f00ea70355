package lottery.view.redis;

/**
 * A value with what it includes.
 *
 * @param version the sequence number of the newest event of its aggregate that is in it; -1: none
 */
public record Versioned<V>(V value, long version) {}
