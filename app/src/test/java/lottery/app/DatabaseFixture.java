package lottery.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.flywaydb.core.Flyway;
import org.postgresql.PGConnection;

/**
 * A file with all that a version of the lottery has stored in PostgreSQL: the version of the schema, the keys, and the
 * rows of each table. The keys are made for the test and protect nothing else. Later versions have to go on with the
 * file.
 */
final class DatabaseFixture {

    private static final String SCHEMA = "schema";
    private static final String KEYS = "keys";
    private static final String HISTORY = "flyway_schema_history";

    private static final String TABLES = """
            SELECT relname FROM pg_class
            WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
              AND relname <> '%s' ORDER BY relname""".formatted(HISTORY);

    private DatabaseFixture() {}

    private static Connection connect(String url) throws SQLException {
        return DriverManager.getConnection(url, "postgres", "");
    }

    /** Writes what a database has while no process uses it. */
    static void write(Path file, String url, Properties keys) throws IOException, SQLException {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file));
                Connection connection = connect(url)) {
            zip.putNextEntry(new ZipEntry(SCHEMA));
            zip.write(select(connection, "SELECT max(version) FROM " + HISTORY)
                    .getFirst()
                    .getBytes(UTF_8));
            zip.putNextEntry(new ZipEntry(KEYS));
            keys.store(zip, null);
            for (String table : select(connection, TABLES)) {
                String columns = columns(connection, table);
                zip.putNextEntry(new ZipEntry("%s (%s)".formatted(table, columns)));
                connection
                        .unwrap(PGConnection.class)
                        .getCopyAPI()
                        .copyOut("COPY (SELECT %s FROM %s) TO STDOUT".formatted(columns, table), zip);
            }
        }
    }

    /**
     * Loads the fixture into an empty database.
     *
     * @return the keys
     */
    static Properties load(InputStream file, String url, String owner, String password, String application)
            throws IOException, SQLException {
        Properties keys = new Properties();
        try (ZipInputStream zip = new ZipInputStream(file);
                Connection connection = connect(url)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                switch (entry.getName()) {
                    case SCHEMA -> {
                        migrate(new String(zip.readAllBytes(), UTF_8), url, owner, password, application);
                        execute(connection, "SET session_replication_role = replica");
                        execute(connection, "TRUNCATE " + String.join(", ", select(connection, TABLES)));
                    }
                    case KEYS -> keys.load(zip);
                    default -> {
                        connection
                                .unwrap(PGConnection.class)
                                .getCopyAPI()
                                .copyIn("COPY %s FROM STDIN".formatted(entry.getName()), zip);
                        countOn(connection, entry.getName().replaceFirst(" .*", ""));
                    }
                }
            }
        }
        return keys;
    }

    private static void migrate(String version, String url, String owner, String password, String application) {
        Flyway.configure()
                .dataSource(url, owner, password)
                .locations("classpath:db/migration", "classpath:db/rights")
                .placeholders(Map.of("application_role", application))
                .target(version)
                .load()
                .migrate();
    }

    private static String columns(Connection connection, String table) throws SQLException {
        return select(connection, """
                        SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
                        WHERE attrelid = '%s'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''""".formatted(table)).getFirst();
    }

    /** Lets the numbers that PostgreSQL gives begin above those of the few rows. */
    private static void countOn(Connection connection, String table) throws SQLException {
        var _ = select(connection, """
                SELECT setval(pg_get_serial_sequence('%1$s', attname), 1000000)
                FROM pg_attribute WHERE attrelid = '%1$s'::regclass AND attidentity <> ''""".formatted(table));
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<String> select(Connection connection, String query) throws SQLException {
        List<String> values = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                values.add(String.valueOf(rows.getString(1)));
            }
        }
        return values;
    }
}
