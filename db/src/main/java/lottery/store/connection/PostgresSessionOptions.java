package lottery.store.connection;

/**
 * The limits of a connection that PostgreSQL itself enforces. A client cannot enforce them while it is frozen or cut
 * off, and its locks would then stay.
 */
final class PostgresSessionOptions {

    private static final String IDLE_IN_TRANSACTION = " -c idle_in_transaction_session_timeout=";

    private static final String LOCK = " -c lock_timeout=";
    private static final String STATEMENT = " -c statement_timeout=";
    private static final String TRANSACTION = " -c transaction_timeout=";

    /**
     * Options for the connections of the pool.
     *
     * <ul>
     *   <li>A transaction may be idle for 12 s. This is enough for a batch, which waits for Kafka inside its
     *       transaction for 9 s at most. If a process gives no sign of life for 10 s, another process takes over. That
     *       process then waits 2 s at most for the locks of the old process.
     *   <li>A statement waits 10 s for a lock, because a batch that waits for Kafka may hold the lock that long.
     *   <li>A statement may run for 25 s. The driver stops waiting after 30 s. Without the limit of 25 s, PostgreSQL
     *       would then still run the statement, although no client waits for it.
     *   <li>A transaction may last for 60 s. No other limit counts while a client stands still between the last
     *       statement and the end of its request.
     *   <li>A client whose host does not answer for 15 s counts as gone, whether or not there is data to send. While a
     *       statement runs or waits for a lock, the server checks every 5 s whether the client is still there.
     *   <li>A commit waits for the disk, whatever the settings of the server, the database or the role are. A
     *       transaction that need not wait switches this off for itself.
     * </ul>
     */
    static final String WORK = "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=3 -c tcp_keepalives_count=3"
            + " -c tcp_user_timeout=15s -c client_connection_check_interval=5s -c synchronous_commit=on"
            + IDLE_IN_TRANSACTION + "12s" + LOCK + "10s" + STATEMENT + "25s" + TRANSACTION + "60s";

    /**
     * Options that are added for migrations. They remove the time limits, because Flyway holds a lock in a transaction
     * that is otherwise idle, and altering a large table may take hours.
     */
    static final String UNLIMITED_TIME = IDLE_IN_TRANSACTION + "0" + LOCK + "0" + STATEMENT + "0" + TRANSACTION + "0";

    private PostgresSessionOptions() {}
}
