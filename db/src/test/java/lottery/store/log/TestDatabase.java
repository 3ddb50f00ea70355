package lottery.store.log;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import lottery.embedded.EmbeddedServer;
import lottery.embedded.EmbeddedServers;
import lottery.embedded.EmbeddedSettings;
import org.flywaydb.core.Flyway;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** An empty database of its own on the server that all tests share, with the store's tables in it. */
final class TestDatabase implements AutoCloseable {

    /** Until the end of the process. */
    private static final EmbeddedServers SERVERS = EmbeddedServers.start(EmbeddedSettings.forTests(
            Path.of(System.getProperty("lottery.servers", "target/servers")), EmbeddedServer.POSTGRES));

    private final String url;
    private final String user;
    private final HikariDataSource pool;

    private TestDatabase(String url, String user) {
        this.url = url;
        this.user = user;
        this.pool = pool(url, 8);
    }

    static TestDatabase create(String name) throws SQLException {
        Map<String, String> properties = SERVERS.properties();
        String shared = properties.getOrDefault("lottery.postgres.url", "");
        String user = properties.getOrDefault("lottery.postgres.user", "");
        String url = shared.substring(0, shared.lastIndexOf('/') + 1) + name;
        JdbcClient admin =
                JdbcClient.create(simple(shared.substring(0, shared.lastIndexOf('/') + 1) + "postgres", "postgres"));
        admin.sql("DROP DATABASE IF EXISTS %s WITH (FORCE)".formatted(name)).update();
        admin.sql("CREATE DATABASE %s OWNER %s".formatted(name, user)).update();
        Flyway.configure().dataSource(url, user, user).load().migrate();
        return new TestDatabase(url, user);
    }

    private static PGSimpleDataSource simple(String url, String user) {
        PGSimpleDataSource simple = new PGSimpleDataSource();
        simple.setUrl(url);
        simple.setUser(user);
        // The password is the name, and the administrator needs none.
        simple.setPassword(user);
        return simple;
    }

    String url() {
        return url;
    }

    String user() {
        return user;
    }

    /** Not of the pool: what it does to the pool's connections does not befall its own. */
    PGSimpleDataSource direct() {
        return simple(url, user);
    }

    /** For a test's own questions and for readers. */
    HikariDataSource pool() {
        return pool;
    }

    JdbcClient sql() {
        return JdbcClient.create(pool);
    }

    /** Another pool, as small as a process may have it. */
    HikariDataSource pool(String url, int size) {
        return Pools.pool(url, user, size);
    }

    @Override
    public void close() {
        pool.close();
    }
}
