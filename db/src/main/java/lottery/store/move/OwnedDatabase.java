package lottery.store.move;

import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import lottery.store.log.Log;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

/**
 * A database, and the role that owns the lottery's tables in it.
 *
 * @param url {@code jdbc:postgresql://host:5432/lottery}
 */
public record OwnedDatabase(String url, String owner, String password) {

    /** Lets the server notice soon that this program's machine is gone, because it may hold locks. */
    private static final String KEPT_ALIVE =
            "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3";

    /** Returns connections without any limit of time, because a copy may take long. */
    DataSource connections() {
        Properties properties = new Properties();
        properties.setProperty(PGProperty.APPLICATION_NAME.getName(), "lottery move-log");
        properties.setProperty(PGProperty.TCP_KEEP_ALIVE.getName(), "true");
        properties.setProperty(PGProperty.OPTIONS.getName(), KEPT_ALIVE);
        SimpleDriverDataSource connections = new SimpleDriverDataSource(new Driver(), url, owner, password);
        connections.setConnectionProperties(properties);
        return connections;
    }

    /** Returns the same database with the schema of a log as the current one. */
    OwnedDatabase inSchemaOf(int log) {
        return new OwnedDatabase(Log.urlOf(log, url), owner, password);
    }

    JdbcClient sql() {
        return JdbcClient.create(connections());
    }

    /** Returns the connection string with which another PostgreSQL server connects to this database. */
    String forServers() {
        Properties properties = Driver.parseURL(url, new Properties());
        if (properties == null) {
            throw new LogMoveRefusedException("This is not the address of a database: " + url);
        }
        return Stream.of(
                        part("host", PGProperty.PG_HOST.getOrDefault(properties)),
                        part("port", PGProperty.PG_PORT.getOrDefault(properties)),
                        part("dbname", PGProperty.PG_DBNAME.getOrDefault(properties)),
                        part("user", owner),
                        part("password", password),
                        part("sslmode", PGProperty.SSL_MODE.getOrDefault(properties)))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(" "));
    }

    private static String part(String name, @Nullable String value) {
        return value == null || value.isEmpty()
                ? ""
                : "%s='%s'".formatted(name, value.replace("\\", "\\\\").replace("'", "\\'"));
    }

    /** Leaves the password out. */
    @Override
    public String toString() {
        return owner + " at " + url.replaceFirst("\\?.*", "");
    }
}
