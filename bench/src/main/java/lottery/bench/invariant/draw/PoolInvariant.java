package lottery.bench.invariant.draw;

import static java.nio.charset.StandardCharsets.UTF_8;
import static lottery.bench.invariant.EventTableRow.POSITION_BITS;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import lottery.bench.invariant.CheckMoment;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.FindingTally;
import lottery.bench.invariant.InvariantVerdict;
import lottery.bench.invariant.ParsedEventPayload;
import org.jspecify.annotations.Nullable;

/**
 * Checks the pools of activities that are drawn at one time. The entries have the numbers that follow from the log, and
 * no entry is after the close. The published root of the tree is the root that follows from these entries. The winners
 * follow from the order of the lots, and the award record of each win exists. A cancelled pool returns all chances.
 *
 * <p>It computes trees and lots with code of its own, entry by entry. Therefore memory has to hold only the winners of
 * one pool.
 */
public final class PoolInvariant {

    /**
     * Selects entries whose stored number differs from the number that follows from the order of the log. When the
     * numbers of several logs were gathered, an entry also has its number among the entries of all logs.
     */
    private static final String NUMBERS = """
            SELECT coalesce(told.holder, given.holder), told.number, given.number
            FROM (SELECT aggregate_id AS holder,
                         'pool:' || (convert_from(payload, 'UTF8')::jsonb ->> 'activityId') AS series,
                         row_number() OVER (PARTITION BY convert_from(payload, 'UTF8')::jsonb ->> 'activityId',
                                                         position >> %d
                                            ORDER BY position) AS number,
                         row_number() OVER (PARTITION BY convert_from(payload, 'UTF8')::jsonb ->> 'activityId'
                                            ORDER BY position) AS in_all
                  FROM event WHERE type = 'raffle.entered') AS told
            FULL JOIN (SELECT * FROM series_number WHERE series LIKE 'pool:%%') AS given USING (series, holder)
            WHERE told.number IS DISTINCT FROM given.number
              AND told.in_all IS DISTINCT FROM given.number""".formatted(POSITION_BITS);

    private static final String COUNT = "SELECT count(*) FROM event WHERE type = 'raffle.entered'";

    private static final String POOLS = """
            SELECT position, type, payload FROM event
            WHERE aggregate_id LIKE 'pool:%' AND aggregate_type = 'pool' ORDER BY position""";

    private static final String ENTRIES = """
            SELECT aggregate_id, position FROM event
            WHERE type = 'raffle.entered' AND (convert_from(payload, 'UTF8')::jsonb ->> 'activityId')::bigint = ?
            ORDER BY position""";

    private static final String GIVEN =
            "SELECT count(*) FROM event WHERE type = 'award.won' AND aggregate_id = ANY (?)";

    private static final String NOT_RETURNED = """
            SELECT count(*) FROM series_number AS entry WHERE series = 'pool:' || ?::text AND NOT EXISTS (
                SELECT FROM event WHERE aggregate_id = holder AND type = 'raffle.order-cancelled')""";

    private static final String VACATED = """
            SELECT aggregate_id FROM event WHERE type IN ('award.forfeited', 'award.voided')
                AND aggregate_id = ANY (?)""";

    /** One win. */
    private record EntryWin(long entryNo, String orderId) {}

    /** The state of one pool, from its events. */
    private static final class FoldedPool {

        private final long activity;
        private final TreeMap<Long, EntryWin> wins = new TreeMap<>();
        private final Set<Long> winners = new HashSet<>();

        /** The vacated awards for which a reserve was found, or for which there was no reserve left. */
        private final Set<String> settled = new HashSet<>();

        private long closedAt = Long.MAX_VALUE;
        private boolean cancelled;
        private @Nullable ParsedEventPayload frozen;
        private @Nullable ParsedEventPayload ordered;
        private boolean drawn;

        FoldedPool(long activity) {
            this.activity = activity;
        }
    }

    /** The root of a complete part of the tree, with the number of its leaves. */
    @SuppressWarnings("ArrayRecordComponent") // The array is neither compared nor changed.
    private record SubtreeRoot(long leaves, byte[] root) {}

    private final Connection connection;
    private final boolean hasOneLog;
    private final FindingTally tally = new FindingTally();

    private PoolInvariant(Connection connection, boolean hasOneLog) {
        this.connection = connection;
        this.hasOneLog = hasOneLog;
    }

    public static InvariantVerdict check(Connection connection, CheckMoment moment, boolean hasOneLog)
            throws SQLException {
        PoolInvariant invariant = new PoolInvariant(connection, hasOneLog);
        invariant.numbers();
        for (FoldedPool pool : invariant.pools().values()) {
            invariant.check(pool, moment);
        }
        return invariant.tally.verdict("pools", "entries keep their numbers, and win by their places");
    }

    private void numbers() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(EventTableRow.FETCH_ROWS);
            try (ResultSet count = statement.executeQuery(COUNT)) {
                count.next();
                tally.checked(count.getLong(1));
            }
            try (ResultSet rows = statement.executeQuery(NUMBERS)) {
                while (rows.next()) {
                    tally.violated("%s has the number %s, and by the log %s"
                            .formatted(rows.getString(1), rows.getString(3), rows.getString(2)));
                }
            }
        }
    }

    private Map<Long, FoldedPool> pools() throws SQLException {
        Map<Long, FoldedPool> pools = new TreeMap<>();
        try (Statement statement = connection.createStatement()) {
            statement.setFetchSize(EventTableRow.FETCH_ROWS);
            try (ResultSet rows = statement.executeQuery(POOLS)) {
                while (rows.next()) {
                    ParsedEventPayload payload = ParsedEventPayload.of(rows.getBytes(3));
                    FoldedPool pool = pools.computeIfAbsent(payload.number("activityId"), FoldedPool::new);
                    told(pool, rows.getString(2), payload, rows.getLong(1));
                }
            }
        }
        return pools;
    }

    private void told(FoldedPool pool, String event, ParsedEventPayload payload, long position) {
        switch (event) {
            case "pool.entries-closed" -> pool.closedAt = position;
            case "pool.cancelled" -> {
                pool.closedAt = position;
                pool.cancelled = true;
            }
            case "pool.frozen" -> pool.frozen = payload;
            case "pool.ordered" -> pool.ordered = payload;
            case "pool.page-drawn" -> payload.each("wins").forEach(win -> won(pool, win, pool.wins.size() + 1));
            case "pool.drawn" -> pool.drawn = true;
            case "pool.reserve-moved-up" -> {
                won(pool, payload.in("win"), pool.wins.size() + 1);
                settled(pool, payload);
            }
            case "pool.reserves-used-up" -> settled(pool, payload);
            default -> {
                // The other events contain nothing to check.
            }
        }
    }

    private void won(FoldedPool pool, ParsedEventPayload win, long due) {
        long place = win.number("place");
        if (place != due) {
            tally.violated("place %d of pool %d wins, where %d was due".formatted(place, pool.activity, due));
        }
        if (!pool.winners.add(win.number("entryNo"))) {
            tally.violated("entry %d of pool %d wins twice".formatted(win.number("entryNo"), pool.activity));
        }
        pool.wins.put(place, new EntryWin(win.number("entryNo"), win.text("orderId")));
    }

    private void settled(FoldedPool pool, ParsedEventPayload payload) {
        if (!pool.settled.add(payload.text("vacated"))) {
            tally.violated(
                    "two reserves of pool %d win instead of %s".formatted(pool.activity, payload.text("vacated")));
        }
    }

    private void check(FoldedPool pool, CheckMoment moment) throws SQLException {
        entries(pool);
        // A page is drawn in the home log, and no commit of it wins awards in other logs.
        if (hasOneLog || moment == CheckMoment.AT_REST) {
            given(pool);
        }
        ParsedEventPayload ordered = pool.ordered;
        if (pool.drawn && ordered != null && pool.wins.size() < ordered.number("winners")) {
            tally.violated("pool %d is drawn with %d of %d winners"
                    .formatted(pool.activity, pool.wins.size(), ordered.number("winners")));
        }
        if (moment == CheckMoment.AT_REST && pool.cancelled) {
            returned(pool);
        }
        vacated(pool, moment);
    }

    /**
     * Reads the entries in the order of the log, and computes the root and the lots from them. The published root must
     * be the same. An entry must win if its lot comes before the lot of a winner.
     */
    private void entries(FoldedPool pool) throws SQLException {
        Map<Long, String> winning = new HashMap<>();
        pool.wins.values().forEach(win -> winning.put(win.entryNo(), win.orderId()));
        Map<Long, byte[]> lots = new HashMap<>();
        byte @Nullable [] least = null;
        Deque<SubtreeRoot> parts = new ArrayDeque<>();
        Mac mac = pool.ordered == null ? null : mac(pool.ordered.text("drawKey"));
        long number = 0;
        try (PreparedStatement statement = connection.prepareStatement(ENTRIES)) {
            statement.setFetchSize(EventTableRow.FETCH_ROWS);
            statement.setLong(1, pool.activity);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    number++;
                    String order = rows.getString(1);
                    // The close is in the home log, so only the frozen root shows that no entry of another log is too
                    // late.
                    if (rows.getLong(2) > pool.closedAt && rows.getLong(2) >>> POSITION_BITS == 0) {
                        tally.violated("%s is in the log at event %d, behind the close of its pool at event %d"
                                .formatted(order, rows.getLong(2), pool.closedAt));
                    }
                    byte[] leaf = sha256(
                            (byte) 0,
                            "activity:%d|%d|%s"
                                    .formatted(pool.activity, number, order)
                                    .getBytes(UTF_8));
                    add(parts, leaf);
                    byte[] lot = mac == null ? leaf : mac.doFinal(leaf);
                    if (winning.containsKey(number)) {
                        lots.put(number, lot);
                        if (!order.equals(winning.get(number))) {
                            tally.violated("entry %d of pool %d is %s, and wins as %s"
                                    .formatted(number, pool.activity, order, winning.get(number)));
                        }
                    } else if (least == null || Arrays.compareUnsigned(lot, least) < 0) {
                        least = lot;
                    }
                }
            }
        }
        ParsedEventPayload frozen = pool.frozen;
        if (frozen != null) {
            tally.checked();
            String root = HexFormat.of().formatHex(root(parts));
            if (!root.equals(frozen.text("root")) || number != frozen.number("entries")) {
                tally.violated("pool %d was frozen with %d entries and the root %s, and has %d and %s"
                        .formatted(pool.activity, frozen.number("entries"), frozen.text("root"), number, root));
            }
        }
        order(pool, lots, least);
    }

    private void order(FoldedPool pool, Map<Long, byte[]> lots, byte @Nullable [] least) {
        byte @Nullable [] before = null;
        for (Map.Entry<Long, EntryWin> each : pool.wins.entrySet()) {
            tally.checked();
            byte[] lot = lots.get(each.getValue().entryNo());
            if (lot == null || (before != null && Arrays.compareUnsigned(before, lot) > 0)) {
                tally.violated(
                        "place %d of pool %d does not follow from the lots".formatted(each.getKey(), pool.activity));
            }
            before = lot;
        }
        if (before != null && least != null && Arrays.compareUnsigned(least, before) < 0) {
            tally.violated(
                    "an entry of pool %d has a lot before that of a winner, and no win".formatted(pool.activity));
        }
    }

    private void given(FoldedPool pool) throws SQLException {
        List<String> records = records(pool);
        try (PreparedStatement statement = connection.prepareStatement(GIVEN)) {
            statement.setArray(1, connection.createArrayOf("text", records.toArray()));
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                if (row.getLong(1) != records.size()) {
                    tally.violated("pool %d has %d wins, of which %d are won"
                            .formatted(pool.activity, records.size(), row.getLong(1)));
                }
            }
        }
    }

    /** Requires that exactly the awards that their winners do not get are offered to reserves. */
    private void vacated(FoldedPool pool, CheckMoment moment) throws SQLException {
        Set<String> vacated = new HashSet<>();
        try (PreparedStatement statement = connection.prepareStatement(VACATED)) {
            statement.setArray(1, connection.createArrayOf("text", records(pool).toArray()));
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    vacated.add(rows.getString(1));
                }
            }
        }
        for (String award : pool.settled) {
            if (!vacated.contains(award)) {
                tally.violated("a reserve of pool %d wins instead of %s, which its winner keeps"
                        .formatted(pool.activity, award));
            }
        }
        vacated.removeAll(pool.settled);
        if (moment == CheckMoment.AT_REST && pool.drawn) {
            vacated.forEach(
                    award -> tally.violated("%s is taken from its winner, and no reserve of pool %d was looked for"
                            .formatted(award, pool.activity)));
        }
    }

    private static List<String> records(FoldedPool pool) {
        return pool.wins.values().stream()
                .map(win -> "award:" + EventTableRow.key(win.orderId()))
                .toList();
    }

    private void returned(FoldedPool pool) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(NOT_RETURNED)) {
            statement.setString(1, Long.toString(pool.activity));
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                if (row.getLong(1) > 0) {
                    tally.violated("pool %d is cancelled, and %d of its entries are not given back"
                            .formatted(pool.activity, row.getLong(1)));
                }
            }
        }
    }

    /**
     * Adds a leaf to the tree. Two parts with the same number of leaves are joined at once, so that only a few parts
     * are in memory.
     */
    private static void add(Deque<SubtreeRoot> parts, byte[] leaf) {
        SubtreeRoot part = new SubtreeRoot(1, leaf);
        while (!parts.isEmpty() && parts.peekLast().leaves() == part.leaves()) {
            part = joined(parts.removeLast(), part);
        }
        parts.addLast(part);
    }

    private static byte[] root(Deque<SubtreeRoot> parts) {
        if (parts.isEmpty()) {
            return sha256(new byte[0], new byte[0]);
        }
        SubtreeRoot last = parts.removeLast();
        while (!parts.isEmpty()) {
            last = joined(parts.removeLast(), last);
        }
        return last.root();
    }

    private static SubtreeRoot joined(SubtreeRoot left, SubtreeRoot right) {
        byte[] both = Arrays.copyOf(left.root(), left.root().length + right.root().length);
        System.arraycopy(right.root(), 0, both, left.root().length, right.root().length);
        return new SubtreeRoot(left.leaves() + right.leaves(), sha256((byte) 1, both));
    }

    private static byte[] sha256(byte kind, byte[] content) {
        return sha256(new byte[] {kind}, content);
    }

    private static byte[] sha256(byte[] kind, byte[] content) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(kind);
            return digest.digest(content);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Mac mac(String key) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(HexFormat.of().parseHex(key), "HmacSHA256"));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
