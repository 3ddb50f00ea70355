package lottery.bench.invariant;

/**
 * Finds events that one commit may have written together. The table does not show commits, but the events that one
 * commit writes for a user have adjacent positions. So if an event of another user is between two events, they come
 * from two commits. If the checker does not read the event in between, it sees a gap between the two positions. Such a
 * gap also means two commits.
 */
public final class SameCommitFinder {

    /**
     * The place of an event in the log.
     *
     * @param stretch the number of the sequence of adjacent events of one user; events with the same number may be of
     *     one commit. An event without a user has a number of its own
     */
    public record EventPlace(long position, long stretch) {

        public boolean isInSameCommitAs(EventPlace other) {
            return stretch == other.stretch;
        }
    }

    private static final String USER = "userId";

    private String user = "";
    private long position;
    private long stretch;

    /** Returns the place of an event. It has to be called for every read event, in order. */
    public EventPlace of(EventTableRow event) {
        String next = event.payload().has(USER) ? event.payload().text(USER) : "";
        if (next.isEmpty() || !next.equals(user) || event.position() != position + 1) {
            stretch++;
        }
        user = next;
        position = event.position();
        return new EventPlace(event.position(), stretch);
    }
}
