package lottery.store.move;

import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
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

    /** Returns connections without any limit of time, because a copy may take long. */
    DataSource connections() {
        Properties properties = new Properties();
        properties.setProperty(PGProperty.APPLICATION_NAME.getName(), "lottery move-log");
        SimpleDriverDataSource connections = new SimpleDriverDataSource(new Driver(), url, owner, password);
        connections.setConnectionProperties(properties);
        return connections;
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
