package lottery.embedded;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.embedded.PgBinaryResolver;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** PostgreSQL, as durable as in production: what was committed survives the loss of power. */
final class PostgresServer implements RunningServer {

    static final String VERSION = "18";

    private static final String NAME = "lottery";
    /** The library does not notice a server that has given up, so whoever waits for a refusal waits this long. */
    private static final Duration START_MAX = Duration.ofSeconds(30);

    /** Fast: it ends the sessions of others. If that does not help, at once: the next start then recovers. */
    private static final ServerProcess.Ask[] ASKS = {
        new ServerProcess.Ask("INT", Duration.ofSeconds(10)), new ServerProcess.Ask("QUIT", Duration.ofSeconds(5))
    };

    private final EmbeddedPostgres postgres;
    private final DataFolder folder;
    private final Map<String, String> seedKey;

    private PostgresServer(EmbeddedPostgres postgres, DataFolder folder, Map<String, String> seedKey) {
        this.postgres = postgres;
        this.folder = folder;
        this.seedKey = seedKey;
    }

    static PostgresServer start(DataFolder folder, int port) throws IOException, SQLException {
        boolean begun = Files.exists(complete(folder));
        if (!begun) {
            // Somebody ended the first start in the middle: nobody has got that database's address yet.
            DataFolder.delete(folder.postgres());
        }
        discardHalfUnpacked(folder.programs());
        try {
            Map<String, String> seedKey = SeedKey.properties(folder, begun);
            PostgresServer server = new PostgresServer(builder(folder, port).start(), folder, seedKey);
            if (!begun) {
                server.createDatabase();
                Files.createFile(complete(folder));
            }
            return server;
        } catch (IOException | SQLException | RuntimeException failure) {
            stopProcess(folder);
            throw failure;
        }
    }

    /** Stops the server of an owner that has died. */
    static void stopProcess(DataFolder folder) {
        find(folder).ifPresent(process -> process.stop(ASKS));
    }

    @Override
    public Map<String, String> properties() {
        Map<String, String> properties = new HashMap<>(seedKey);
        properties.put(
                EmbeddedServer.POSTGRES.addressSetting(),
                "jdbc:postgresql://%s:%d/%s".formatted(ServerPorts.LOOPBACK, postgres.getPort(), NAME));
        properties.put("lottery.postgres.user", NAME);
        properties.put("lottery.postgres.password", NAME);
        return properties;
    }

    @Override
    public void stop() {
        try {
            // The library waits five seconds and then only logs; what still runs is stopped here.
            postgres.close();
        } catch (IOException ignored) {
            // The process below is what counts.
        }
        stopProcess(folder);
    }

    private void createDatabase() throws SQLException {
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE ROLE %s LOGIN PASSWORD '%s'".formatted(NAME, NAME));
            statement.execute("CREATE DATABASE %s OWNER %s".formatted(NAME, NAME));
        }
    }

    private static EmbeddedPostgres.Builder builder(DataFolder folder, int port) {
        Path log = folder.log(EmbeddedServer.POSTGRES);
        return builder(folder.programs())
                .setPgBinaryResolver(new Archive(folder.programs()))
                .setOverrideWorkingDirectory(folder.programs().toFile())
                .setDataDirectory(folder.postgres())
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setPort(port)
                .setPGStartupWait(START_MAX)
                // A file, not a pipe: the server must be able to outlive this process without losing its output.
                .setOutputRedirector(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .setErrorRedirector(ProcessBuilder.Redirect.appendTo(log.toFile()))
                // The same order of strings on every machine, and no locale that a machine may lack.
                .setLocaleConfig("locale-provider", "builtin")
                .setLocaleConfig("builtin-locale", "C.UTF-8")
                .setLocaleConfig("locale", "C")
                // The library switches both off.
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("max_connections", "100")
                .setServerConfig("listen_addresses", ServerPorts.LOOPBACK)
                .setServerConfig("unix_socket_directories", "");
    }

    /**
     * The library creates its working folder when it is asked for a builder, and deletes from it every folder with an
     * old lock file of the library: therefore it is neither the one that all users of the machine share, nor the one
     * that the database is in.
     */
    private static synchronized EmbeddedPostgres.Builder builder(Path workingFolder) {
        String name = "ot.epg.working-dir";
        @Nullable String before = System.getProperty(name);
        System.setProperty(name, workingFolder.toString());
        try {
            return EmbeddedPostgres.builder();
        } finally {
            if (before == null) {
                System.clearProperty(name);
            } else {
                System.setProperty(name, before);
            }
        }
    }

    /** The library would take files that were cut off by a kill for complete ones; it marks what it has finished. */
    private static void discardHalfUnpacked(Path programs) throws IOException {
        List<Path> unpacked;
        try (Stream<Path> children = Files.list(programs)) {
            unpacked = children.filter(child -> child.getFileName().toString().startsWith("PG-"))
                    .toList();
        }
        for (Path child : unpacked) {
            if (!Files.exists(child.resolve(".exists"))) {
                DataFolder.delete(child);
            }
        }
    }

    private static Optional<ServerProcess> find(DataFolder folder) {
        return ServerProcess.find(folder.postgres().resolve("postmaster.pid"), folder.postgres());
    }

    private static Path complete(DataFolder folder) {
        return folder.postgres().resolve("lottery.complete");
    }

    /** The library unpacks once for each equal resolver, so each folder needs one of its own. */
    private record Archive(Path programs) implements PgBinaryResolver {

        @Override
        public InputStream getPgBinary(String system, String machineHardware) throws IOException {
            return DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(system, machineHardware);
        }
    }
}
