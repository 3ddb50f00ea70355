package lottery.bench.invariant;

/**
 * Commits cannot be seen in the table, but what one commit writes about a user stands side by side. Where somebody else
 * comes in between, it was not one commit; whether what they did is read or not.
 */
final class CommitRuns {

    /**
     * Where an event stands.
     *
     * @param stretch the same for neighbours that are about one user; what belongs to nobody stands alone
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

    /** Has to be asked for every event that is read, in order. */
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
