package lottery.bench.store.variant;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A contender that only executes SQL. It writes rows like those of the lottery's store to a table with the same
 * indexes, with as little other work as possible. It shows the best rate that PostgreSQL can reach on this machine.
 */
public final class BareSqlStoreVariant extends StoreVariant {

    private static final String INSERT = """
            INSERT INTO event (aggregate_id, sequence, aggregate_type, event_id, at, type, revision, payload, metadata)
            SELECT aggregate_id, sequence, aggregate_type, event_id, now(), type, '1', payload, ?
            FROM unnest(?::text[], ?::int[], ?::text[], ?::uuid[], ?::text[], ?::bytea[])
                 AS r (aggregate_id, sequence, aggregate_type, event_id, type, payload)""";

    private static final long WRITER_WAIT_MAX_SECONDS = 30;

    private static final String[] AGGREGATES = {"Account", "Order", "Order", "Award"};
    private static final String[] TYPES = {"bench.spent", "bench.ordered", "bench.drawn", "bench.won"};
    private static final byte[] PAYLOAD = "x".repeat(170).getBytes(UTF_8);
    private static final byte[] METADATA = "x".repeat(50).getBytes(UTF_8);

    private final StoreVariantKind entry;
    private final BlockingQueue<BareSqlWriter> idle;
    private final int unitsPerCall;
    private final AtomicLong ids = new AtomicLong(new SplittableRandom().nextLong());

    private BareSqlStoreVariant(StoreVariantKind entry, BlockingQueue<BareSqlWriter> idle, int unitsPerCall) {
        this.entry = entry;
        this.idle = idle;
        this.unitsPerCall = unitsPerCall;
    }

    /** A connection with its prepared statement. Each execution of the statement is a transaction. */
    private record BareSqlWriter(Connection connection, PreparedStatement insert) {}

    public static BareSqlStoreVariant start(
            StoreVariantKind entry, BenchmarkConnectionFactory target, int connections, int unitsPerCall)
            throws SQLException {
        // The queue is fair, so that no caller waits longer because others take connections faster.
        BlockingQueue<BareSqlWriter> idle = new ArrayBlockingQueue<>(connections, true);
        for (int i = 0; i < connections; i++) {
            Connection connection = target.connect(entry.schema());
            if (i == 0) {
                prepare(entry, connection);
            }
            idle.add(new BareSqlWriter(connection, connection.prepareStatement(INSERT)));
        }
        return new BareSqlStoreVariant(entry, idle, unitsPerCall);
    }

    private static void prepare(StoreVariantKind entry, Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA " + entry.schema());
            // The table is a copy of the lottery store's table, but positions come from a sequence.
            statement.execute("CREATE SEQUENCE position CACHE 1");
            statement.execute("CREATE TABLE event (LIKE " + StoreVariantKind.OURS.schema() + ".event INCLUDING ALL)");
            statement.execute("ALTER TABLE event ALTER COLUMN position SET DEFAULT nextval('position')");
        }
    }

    @Override
    public StoreVariantKind entry() {
        return entry;
    }

    @Override
    public Table table() {
        return new Table(entry.schema(), "event", "position");
    }

    @Override
    public int unitsPerCall() {
        return unitsPerCall;
    }

    @Override
    public long otherEvents() {
        return 0;
    }

    @Override
    void store(long firstNumber) {
        BareSqlWriter writer = writer();
        try {
            bind(writer.insert(), writer.connection(), firstNumber);
            writer.insert().executeUpdate();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } finally {
            idle.add(writer);
        }
    }

    private BareSqlWriter writer() {
        try {
            return Objects.requireNonNull(
                    idle.poll(WRITER_WAIT_MAX_SECONDS, TimeUnit.SECONDS), "no connection is free");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void bind(PreparedStatement insert, Connection connection, long firstNumber) throws SQLException {
        int rows = unitsPerCall * BenchmarkDraw.EVENTS;
        String[] aggregateIds = new String[rows];
        Integer[] sequences = new Integer[rows];
        String[] aggregateTypes = new String[rows];
        UUID[] eventIds = new UUID[rows];
        String[] types = new String[rows];
        for (int row = 0; row < rows; row++) {
            long number = firstNumber + row / BenchmarkDraw.EVENTS;
            int which = row % BenchmarkDraw.EVENTS;
            BenchmarkDraw draw = BenchmarkDraw.number(number);
            aggregateIds[row] = which == 0 ? draw.account() : which == 3 ? draw.award() : draw.order();
            sequences[row] = which == 0 ? BenchmarkDraw.before(number) : which == 2 ? 1 : 0;
            aggregateTypes[row] = AGGREGATES[which];
            eventIds[row] = new UUID(number, ids.incrementAndGet());
            types[row] = TYPES[which];
        }
        byte[][] payloads = new byte[rows][];
        Arrays.fill(payloads, PAYLOAD);
        insert.setBytes(1, METADATA);
        insert.setArray(2, array(connection, "text", aggregateIds));
        insert.setArray(3, array(connection, "int4", sequences));
        insert.setArray(4, array(connection, "text", aggregateTypes));
        insert.setArray(5, array(connection, "uuid", eventIds));
        insert.setArray(6, array(connection, "text", types));
        insert.setArray(7, array(connection, "bytea", payloads));
    }

    private static Array array(Connection connection, String type, Object[] values) throws SQLException {
        return connection.createArrayOf(type, values);
    }

    @Override
    public void close() {
        idle.forEach(writer -> {
            try (Connection connection = writer.connection()) {
                connection.abort(Runnable::run);
            } catch (SQLException gone) {
                // The connection is already closed.
            }
        });
    }
}
