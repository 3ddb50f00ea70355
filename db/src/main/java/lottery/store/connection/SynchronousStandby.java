package lottery.store.connection;

/**
 * The wait for the synchronous standby. A commit whose wait for the standby was broken off is visible, although the
 * standby may lack it: a failover would lose it. Later commits are behind it in the write-ahead log. So when a later
 * commit has waited, the standby has both.
 */
public final class SynchronousStandby {

    /**
     * Commits a change of no value, and so waits until the standby has all that is visible now. Without a synchronous
     * standby it changes nothing. The lock of the row keeps a caller that tries again from leaving one more server
     * process that waits.
     */
    public static final String AWAIT =
            "UPDATE event_head SET position = position WHERE current_setting('synchronous_standby_names') <> ''";

    private SynchronousStandby() {}
}
