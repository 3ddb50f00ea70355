package lottery.store.connection;

/**
 * The wait for the synchronous standby. A commit whose wait for the standby was broken off is visible, although the
 * standby may lack it: a failover would lose it. Later commits are behind it in the write-ahead log. So when a later
 * commit has waited, the standby has both.
 */
public final class SynchronousStandby {

    /**
     * Commits an empty message, and so waits until the standby has all that is visible now. Without a synchronous
     * standby it does nothing. A server process goes on waiting when its client has given up; the lock keeps a client
     * that tries again from leaving one more.
     */
    public static final String AWAIT = """
            SELECT pg_advisory_xact_lock(hashtext('lottery.standby')), pg_logical_emit_message(true, 'lottery', '')
            WHERE current_setting('synchronous_standby_names') <> ''""";

    private SynchronousStandby() {}
}
