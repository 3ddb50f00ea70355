package lottery.embedded;

import io.zonky.test.db.postgres.embedded.DefaultPostgresBinaryResolver;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.embedded.PgBinaryResolver;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A PostgreSQL server that is as durable as in production: committed data survives a power failure. */
final class PostgresServer implements RunningServer {

    static final String VERSION = "18";

    /** The database and its owner. */
    private static final String NAME = "lottery";

    /** The role that uses the tables but does not own them. */
    private static final String APPLICATION = NAME + "_app";

    private static final String SUPERUSER = "postgres";

    /**
     * The time limit of a start. The library does not notice if the server has ended, so a failed start is reported
     * only after this time.
     */
    private static final Duration START_MAX = Duration.ofSeconds(30);

    /**
     * Signals that stop the server, in this order. INT is a fast shutdown, which ends the sessions of clients. QUIT
     * stops at once, and the next start recovers.
     */
    private static final ServerProcess.StopRequest[] ASKS = {
        new ServerProcess.StopRequest("INT", Duration.ofSeconds(10)),
        new ServerProcess.StopRequest("QUIT", Duration.ofSeconds(5))
    };

    private final EmbeddedPostgres postgres;
    private final Path data;

    private PostgresServer(EmbeddedPostgres postgres, Path data) {
        this.postgres = postgres;
        this.data = data;
    }

    /**
     * Starts the server. Servers of one process may start at the same time.
     *
     * @param data the folder of this server alone
     * @param log the file for what the server reports
     * @param programs the folder that PostgreSQL is unpacked to, which servers share
     * @param isOneOfSeveral whether logs may move from this server to another one, and back
     */
    static PostgresServer start(Path data, Path log, Path programs, int port, boolean isOneOfSeveral)
            throws IOException, SQLException {
        boolean complete = isComplete(data);
        if (!complete) {
            // The first start was interrupted. The database can be deleted, because no client has got its address yet.
            DataFolder.delete(data);
        }
        try {
            EmbeddedPostgres.Builder builder = builder(data, log, programs, port);
            if (isOneOfSeveral) {
                builder.setServerConfig("wal_level", "logical");
            }
            PostgresServer server = new PostgresServer(builder.start(), data);
            if (!complete) {
                server.createDatabase();
                if (isOneOfSeveral) {
                    server.allowMoves();
                }
                Files.createFile(complete(data));
            }
            return server;
        } catch (IOException | SQLException | RuntimeException failure) {
            stopProcess(data);
            throw failure;
        }
    }

    /** Returns whether the folder has a database that clients may have used. */
    static boolean isComplete(Path data) {
        return Files.exists(complete(data));
    }

    /**
     * Stops the server process that uses this folder, if there is one. It may have outlived the process that started
     * it.
     */
    static void stopProcess(Path data) {
        ServerProcess.find(data.resolve("postmaster.pid"), data).ifPresent(process -> process.stop(ASKS));
    }

    @Override
    public Map<String, String> properties() {
        return Map.of(
                EmbeddedServerKind.POSTGRES.addressSetting(),
                url(),
                "lottery.postgres.user",
                APPLICATION,
                "lottery.postgres.password",
                APPLICATION,
                "lottery.postgres.owner",
                NAME,
                "lottery.postgres.owner-password",
                NAME);
    }

    String url() {
        return "jdbc:postgresql://%s:%d/%s".formatted(ServerPorts.LOOPBACK, postgres.getPort(), NAME);
    }

    /**
     * Returns the numbers of the logs in the database. The home log has no schema of its own and is left out, and so is
     * a log of which the database has an incomplete copy.
     */
    List<Integer> logs() throws SQLException {
        List<Integer> logs = new ArrayList<>();
        try (Connection connection = postgres.getDatabase(SUPERUSER, NAME).getConnection();
                Statement statement = connection.createStatement();
                ResultSet schemas = statement.executeQuery(
                        "SELECT substr(nspname, 5)::int FROM pg_namespace WHERE nspname ~ '^log_[0-9][0-9]$'"
                                + " AND obj_description(oid, 'pg_namespace') IS DISTINCT FROM 'incomplete copy'")) {
            while (schemas.next()) {
                logs.add(schemas.getInt(1));
            }
        }
        return logs;
    }

    @Override
    public void stop() {
        try {
            // The library waits five seconds and then only logs. A process that still runs is stopped below.
            postgres.close();
        } catch (IOException ignored) {
            // The process is stopped below in any case.
        }
        stopProcess(data);
    }

    private void createDatabase() throws SQLException {
        execute("CREATE ROLE %s LOGIN PASSWORD '%s'".formatted(NAME, NAME));
        execute("CREATE ROLE %s LOGIN PASSWORD '%s'".formatted(APPLICATION, APPLICATION));
        execute("CREATE DATABASE %s OWNER %s".formatted(NAME, NAME));
    }

    /**
     * Lets the owner move logs between servers. PostgreSQL lets only roles that have to give a password subscribe to
     * another server.
     */
    private void allowMoves() throws IOException, SQLException {
        Files.write(
                data.resolve("pg_hba.conf"),
                List.of(
                        "host all %s %s/32 trust".formatted(SUPERUSER, ServerPorts.LOOPBACK),
                        "host replication %s %s/32 trust".formatted(SUPERUSER, ServerPorts.LOOPBACK),
                        "host all all %s/32 scram-sha-256".formatted(ServerPorts.LOOPBACK)));
        execute("ALTER ROLE %s REPLICATION".formatted(NAME));
        execute("GRANT pg_create_subscription TO %s".formatted(NAME));
        execute("SELECT pg_reload_conf()");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static EmbeddedPostgres.Builder builder(Path data, Path log, Path programs, int port) {
        return builder(programs)
                .setPgBinaryResolver(new Archive(programs))
                .setOverrideWorkingDirectory(programs.toFile())
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setPort(port)
                .setPGStartupWait(START_MAX)
                // The output goes to a file and not to a pipe, because a server that outlives this process must not
                // lose its output.
                .setOutputRedirector(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .setErrorRedirector(ProcessBuilder.Redirect.appendTo(log.toFile()))
                // This gives the same sort order on every machine, and needs no locale that a machine may lack.
                .setLocaleConfig("locale-provider", "builtin")
                .setLocaleConfig("builtin-locale", "C.UTF-8")
                .setLocaleConfig("locale", "C")
                // Without these two settings, which the library switches off, a power failure could lose committed
                // data.
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                // Each log of each process has a pool of its own.
                .setServerConfig("max_connections", "250")
                .setServerConfig("listen_addresses", ServerPorts.LOOPBACK)
                .setServerConfig("unix_socket_directories", "");
    }

    /**
     * Creates a builder with a working folder of its own. The library creates that folder, and deletes every folder in
     * it that has an old lock file of the library. Therefore the working folder must be neither the temporary folder
     * that all users of the machine share, nor the folder with the database.
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

    /**
     * Deletes PostgreSQL's programs if they are incomplete, because the process was killed while it unpacked them. The
     * library that unpacks them would use them as if they were complete. It puts a mark on programs that are complete.
     * No server may be starting meanwhile.
     */
    static void discardHalfUnpacked(Path programs) throws IOException {
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

    private static Path complete(Path data) {
        return data.resolve("lottery.complete");
    }

    /**
     * Resolves the archive for one folder. The library unpacks once per resolver and compares resolvers by equality.
     * Therefore each folder needs its own resolver.
     */
    private record Archive(Path programs) implements PgBinaryResolver {

        @Override
        public InputStream getPgBinary(String system, String machineHardware) throws IOException {
            return DefaultPostgresBinaryResolver.INSTANCE.getPgBinary(system, machineHardware);
        }
    }
}
