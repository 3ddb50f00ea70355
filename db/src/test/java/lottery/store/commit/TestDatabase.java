package lottery.store.commit;

import com.zaxxer.hikari.HikariDataSource;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import lottery.embedded.EmbeddedServerKind;
import lottery.embedded.EmbeddedServers;
import lottery.embedded.EmbeddedSettings;
import org.flywaydb.core.Flyway;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** An empty database with the store's tables in it, on a server that the tests of the log share. */
public final class TestDatabase implements AutoCloseable {

    /** The servers, until the end of the process. Other tests, which run beside these, let their own server crash. */
    private static final EmbeddedServers SERVERS = EmbeddedServers.start(EmbeddedSettings.forTests(
            Path.of(System.getProperty("lottery.servers", "target/servers") + "-of-log"), EmbeddedServerKind.POSTGRES));

    private static final String OWNER = property("lottery.postgres.owner");
    private static final String USER = property("lottery.postgres.user");
    private static final String SERVER = property("lottery.postgres.url").replaceFirst("[^/]*$", "");

    /** A database that has the tables and no connections: the database of each test is a copy of it. */
    private static final String TEMPLATE = "migrated";

    private static final JdbcClient ADMIN = JdbcClient.create(simple(SERVER + "postgres", "postgres"));

    static {
        ADMIN.sql("CREATE DATABASE %s OWNER %s".formatted(TEMPLATE, OWNER)).update();
        Flyway.configure()
                .dataSource(SERVER + TEMPLATE, OWNER, OWNER)
                .locations("classpath:db/migration", "classpath:db/rights")
                .placeholders(Map.of("application_role", USER))
                .load()
                .migrate();
    }

    private final String url;
    private final HikariDataSource pool;

    private TestDatabase(String url) {
        this.url = url;
        this.pool = Pools.patientPool(url, USER, 8);
    }

    public static TestDatabase create(String name) {
        ADMIN.sql("DROP DATABASE IF EXISTS %s WITH (FORCE)".formatted(name)).update();
        ADMIN.sql("CREATE DATABASE %s OWNER %s TEMPLATE %s".formatted(name, OWNER, TEMPLATE))
                .update();
        return new TestDatabase(SERVER + name);
    }

    /** Executes a statement as the superuser, and lets the server read its settings again. */
    static void administer(String statement) {
        ADMIN.sql(statement).update();
        ADMIN.sql("SELECT pg_reload_conf(), pg_sleep(0.5)").query().singleRow();
    }

    private static String property(String name) {
        return Objects.requireNonNull(SERVERS.properties().get(name), name);
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
        return USER;
    }

    /** Returns connections from outside the pool, which are safe from what a test does to the pool's connections. */
    PGSimpleDataSource direct() {
        return simple(url, USER);
    }

    /** Returns connections of the owner of the tables, who may do what the application may not. */
    public PGSimpleDataSource owner() {
        return simple(url, OWNER);
    }

    /** Returns the pool for a test's own queries and for readers. */
    public HikariDataSource pool() {
        return pool;
    }

    public JdbcClient sql() {
        return JdbcClient.create(pool);
    }

    /** Returns another pool, as small as that of a process may be. */
    HikariDataSource pool(String url, int size) {
        return Pools.pool(url, USER, size);
    }

    @Override
    public void close() {
        pool.close();
    }
}
