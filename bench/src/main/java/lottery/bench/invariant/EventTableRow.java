package lottery.bench.invariant;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.function.Supplier;

/**
 * A row of the event table.
 *
 * @param position its position in global order; the number of its log is before the position in this log
 * @param stream the id of its aggregate
 * @param sequence its place in that stream, from 0 on
 * @param name its stable name
 * @param at when it happened
 * @param metadata its metadata
 * @param isRepeated whether this event is counted as checked in another reading; the log is read several times
 */
public record EventTableRow(
        long position,
        String stream,
        long sequence,
        String name,
        Instant at,
        ParsedEventPayload payload,
        boolean isRepeated,
        Supplier<ParsedEventPayload> metadata) {

    /** How many rows of any table a reading fetches at once. */
    public static final int FETCH_ROWS = 1_000;

    /** How many bits of a position are the position in the log. The home log has the number 0. */
    public static final int POSITION_BITS = 46;

    private static final String IN_ORDER = """
            SELECT position, aggregate_id, sequence, type, at, payload, %s AS is_repeated, metadata
            FROM event WHERE %s ORDER BY position""";

    private static final String IS_OF_A_USER =
            "split_part(aggregate_id, ':', 1) IN ('account', 'order', 'award', 'recharge', 'credit', 'ban', 'behaviour',"
                    + " 'payment', 'entitlement', 'rebates', 'sign-in', 'person', 'proposal')";

    /**
     * Selects, the oldest first, the events that the reading over all users needs: events that its sums count,
     * decisions of persons such as bans, and events that belong to no user.
     */
    public static final String SQL_OF_ALL = IN_ORDER.formatted(
            IS_OF_A_USER,
            "type IN ('raffle.drawn', 'raffle.entered', 'award.won', 'award.granted', 'award.forfeited',"
                    + " 'award.voided', 'award.compensated', 'recharge.ordered', 'recharge.completed',"
                    + " 'recharge.closed', 'payment.ordered', 'payment.money-taken',"
                    + " 'payment.closed', 'account.opened', 'account.recharged', 'account.chance-spent',"
                    + " 'account.chance-returned', 'user.banned', 'user.ban-lifted', 'person.erased',"
                    + " 'proposal.made', 'proposal.agreed', 'proposal.declined') OR NOT "
                    + IS_OF_A_USER);

    /** Returns the query for events of the users of a share and for events that belong to no user, the oldest first. */
    public static String sql(CheckedUserShare share) {
        return IN_ORDER.formatted("NOT " + IS_OF_A_USER, share.sql("aggregate_id") + " OR NOT " + IS_OF_A_USER);
    }

    public static EventTableRow of(ResultSet row) throws SQLException {
        return new EventTableRow(
                row.getLong(1),
                row.getString(2),
                row.getLong(3),
                row.getString(4),
                row.getObject(5, OffsetDateTime.class).toInstant(),
                ParsedEventPayload.of(row.getBytes(6)),
                row.getBoolean(7),
                metadataIn(row.getBytes(8)));
    }

    /** Returns the number of the log that has the event. */
    public long log() {
        return position >>> POSITION_BITS;
    }

    /**
     * Returns whether the event is in the home log, which has all definitions. An event of another log is read after
     * all of them, because nothing says which of them were earlier.
     */
    public boolean isAtHome() {
        return log() == 0;
    }

    /** Returns a supplier that parses the metadata on demand, because few events need it. */
    private static Supplier<ParsedEventPayload> metadataIn(byte[] json) {
        return () -> ParsedEventPayload.of(json);
    }

    /**
     * Returns the part of an id after the prefix, such as {@code order:}. It is the same for an order and its award
     * record.
     */
    public static String key(String id) {
        return id.substring(id.indexOf(':') + 1);
    }
}
