package lottery.api.pool;

/** The state of a pool. */
public enum PoolState {
    /** The pool takes entries, or will take them. */
    OPEN,
    /** The pool takes no more entries, and its content is not published yet. */
    CLOSED,
    /** The number of the pool's entries and their root are public. */
    FROZEN,
    /** The order of the entries is certain, and the wins are being given. */
    ORDERED,
    /** All wins are given. */
    DRAWN,
    /** Its activity was closed before its entries were closed, and the chances are given back. */
    CANCELLED
}
