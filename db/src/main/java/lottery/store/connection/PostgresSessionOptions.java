package lottery.store.connection;

/**
 * The limits that PostgreSQL keeps for a connection, whatever has become of its client. A client that is frozen or cut
 * off keeps no limit itself, and its locks would stay.
 */
final class PostgresSessionOptions {

    private static final String IDLE_IN_TRANSACTION = " -c idle_in_transaction_session_timeout=";

    private static final String LOCK = " -c lock_timeout=";
    private static final String STATEMENT = " -c statement_timeout=";

    /**
     * Options for the connections of the pool.
     *
     * <ul>
     *   <li>A transaction may be idle for 12 s. A batch waits for Kafka for 9 s at most inside its transaction. Another
     *       process takes over after it has not heard of a process for 10 s, and then waits for 2 s at most.
     *   <li>A statement waits 10 s for a lock: such a batch may hold it that long.
     *   <li>A statement may run for 25 s. The driver gives up after 30 s. Without this limit the statement would then
     *       go on for nobody.
     *   <li>If the host of a client does not answer for 15 s, it counts as gone, whether there is something to send or
     *       not. The server checks that every 5 s while a statement runs or waits for a lock.
     *   <li>A commit waits for the disk, whatever server, database or role say. A transaction that need not wait
     *       switches this off for itself.
     * </ul>
     */
    static final String WORK = "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=3 -c tcp_keepalives_count=3"
            + " -c tcp_user_timeout=15s -c client_connection_check_interval=5s -c synchronous_commit=on"
            + IDLE_IN_TRANSACTION + "12s" + LOCK + "10s" + STATEMENT + "25s";

    /**
     * Options that are added for migrations. Flyway keeps a lock by a transaction that does nothing else, and to alter
     * a large table may take hours.
     */
    static final String UNLIMITED_TIME = IDLE_IN_TRANSACTION + "0" + LOCK + "0" + STATEMENT + "0";

    private PostgresSessionOptions() {}
}
