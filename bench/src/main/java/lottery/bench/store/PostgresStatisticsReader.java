package lottery.bench.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import lottery.bench.store.variant.BenchmarkConnectionFactory;
import lottery.bench.store.variant.StoreVariant.Table;
import lottery.bench.store.variant.StoreVariantKind;

/** Reads PostgreSQL's statistics over a connection that no contender uses. */
final class PostgresStatisticsReader implements AutoCloseable {

    /**
     * Reads how many bytes were written to the write-ahead log, how often it was synced, and how many transactions were
     * committed. From PostgreSQL 18 on, these syncs are part of the general I/O statistics. The statistics are a second
     * late, so the number of syncs of one round is accurate to about a tenth.
     */
    private static final String WRITTEN = """
            SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint,
                   (SELECT coalesce(sum(fsyncs), 0)::bigint FROM pg_stat_io WHERE object = 'wal'),
                   (SELECT sum(xact_commit)::bigint FROM pg_stat_database)""";

    private static final String SETTINGS = """
            SELECT name || ' = ' || current_setting(name) FROM pg_settings
            WHERE name IN ('server_version', 'fsync', 'synchronous_commit', 'wal_sync_method', 'full_page_writes',
                           'shared_buffers', 'max_wal_size', 'wal_compression')
            ORDER BY name""";

    private final Connection connection;

    PostgresStatisticsReader(BenchmarkConnectionFactory target) throws SQLException {
        this.connection = target.connect();
    }

    /** The bytes that were written to PostgreSQL's write-ahead log so far, its syncs, and the commits. */
    record WriteStatistics(long walBytes, long syncs, long commits) {}

    /** The number of rows in a table, and its first and last position. */
    record TableRows(long count, long first, long last) {

        boolean isWithoutHole() {
            return count == 0 || (first == 1 && last == count);
        }
    }

    /** Makes a checkpoint, if the role has the right, so that no contender has to write dirty pages of another one. */
    void checkpoint() {
        try (Statement statement = connection.createStatement()) {
            statement.execute("CHECKPOINT");
        } catch (SQLException e) {
            System.out.println("no checkpoint before a round: " + e.getMessage());
        }
    }

    WriteStatistics written() throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(WRITTEN)) {
            row.next();
            return new WriteStatistics(row.getLong(1), row.getLong(2), row.getLong(3));
        }
    }

    long last(Table table) throws SQLException {
        return number("SELECT coalesce(max(%s), 0) FROM %s".formatted(table.position(), table.qualified()));
    }

    /**
     * Returns how many transactions have written the rows after a position. Each row contains the number of its
     * transaction.
     */
    long commitsAfter(Table table, long position) throws SQLException {
        return number("SELECT count(DISTINCT xmin::text) FROM %s WHERE %s > %d"
                .formatted(table.qualified(), table.position(), position));
    }

    TableRows rows(Table table) throws SQLException {
        String sql = "SELECT count(*), coalesce(min(%1$s), 0), coalesce(max(%1$s), 0) FROM %2$s"
                .formatted(table.position(), table.qualified());
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return new TableRows(row.getLong(1), row.getLong(2), row.getLong(3));
        }
    }

    List<String> settings() throws SQLException {
        List<String> settings = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(SETTINGS)) {
            while (rows.next()) {
                settings.add(rows.getString(1));
            }
        }
        return settings;
    }

    /** Drops the schemas that this run or an earlier run has created. */
    void clear() throws SQLException {
        for (StoreVariantKind entry : StoreVariantKind.values()) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET client_min_messages = warning");
                statement.execute("DROP SCHEMA IF EXISTS " + entry.schema() + " CASCADE");
            }
        }
    }

    private long number(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
