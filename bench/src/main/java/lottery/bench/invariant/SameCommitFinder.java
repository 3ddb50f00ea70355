package lottery.bench.invariant;

/**
 * Finds the events that one commit may have written. The table does not show commits, but one commit writes its events
 * about a user side by side. An event of somebody else in between proves two commits, even if that event is not read
 * here.
 */
final class SameCommitFinder {

    /**
     * The place of an event in the log.
     *
     * @param stretch the same for neighbours that are about one user; an event about nobody stands alone
     */
    record Place(long position, long stretch) {

        boolean isBeside(Place other) {
            return stretch == other.stretch;
        }
    }

    private static final String USER = "userId";

    private String user = "";
    private long position;
    private long stretch;

    /** Returns the place of an event. It has to be called for every event that is read, in order. */
    Place of(EventTableRow event) {
        String next = event.payload().has(USER) ? event.payload().text(USER) : "";
        if (next.isEmpty() || !next.equals(user) || event.position() != position + 1) {
            stretch++;
        }
        user = next;
        position = event.position();
        return new Place(event.position(), stretch);
    }
}
