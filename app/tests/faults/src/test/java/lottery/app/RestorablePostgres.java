package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A PostgreSQL server of a test, of which a backup is taken while it serves, and put in its place later. */
final class RestorablePostgres {

    private static final Duration SOON = Duration.ofSeconds(60);

    private static final String PID_FILE = "postmaster.pid";

    /** A file that fills the disk. */
    private static final String BALLAST = "ballast";

    private static final int PAGE_BYTES = 4096;

    /** An argument of the server's command, which quotes all but the program. */
    private static final Pattern ARGUMENT = Pattern.compile("\"[^\"]*\"|\\S+");

    private final Path data;
    private final String url;

    /** A folder that is emptied with those of the servers. */
    private final Path aside;

    private final Path backup;
    private final String administration;

    /**
     * Uses a server that runs.
     *
     * @param data the folder of the server
     * @param url the address of the lottery's database
     */
    RestorablePostgres(Path data, String url) {
        this.data = data;
        this.url = url;
        this.aside = data.resolveSibling("logs");
        this.backup = aside.resolve("backup");
        this.administration = url.replaceFirst("/[^/]*$", "/postgres");
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(administration, "postgres", "");
    }

    /** Returns the position of the newest event that can be read. */
    long head() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, "postgres", "")) {
            return Long.parseLong(select(connection, "SELECT position FROM event_head"));
        }
    }

    /** Executes statements as the superuser, each in a transaction of its own. */
    void execute(String... statements) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    /** Returns the value that a query selects, as the superuser. */
    private String select(String query) throws SQLException {
        try (Connection connection = connect()) {
            return select(connection, query);
        }
    }

    private static String select(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            return row.next() ? String.valueOf(row.getString(1)) : "";
        }
    }

    /** Takes a base backup as PostgreSQL describes it, under load: the label, the files, and the WAL until its end. */
    void backUp() throws IOException, SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_backup_start('trial', fast => true)");
            copy(data, backup);
            try (ResultSet label =
                    statement.executeQuery("SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)")) {
                label.next();
                Files.writeString(backup.resolve("backup_label"), label.getString(1));
            }
        }
        copy(data.resolve("pg_wal"), backup.resolve("pg_wal"));
        Files.setPosixFilePermissions(backup, PosixFilePermissions.fromString("rwx------"));
        Files.deleteIfExists(backup.resolve(PID_FILE));
    }

    /** Stops the server at once, puts the backup in the place of its data, and starts it again on the same port. */
    void restore() throws IOException {
        List<String> command = command();
        stop();
        Files.move(data, aside.resolve("lost"));
        Files.move(backup, data);
        start(command, aside.resolve("restored.log"));
        await("PostgreSQL on its restored data").atMost(SOON).until(this::answers);
    }

    /** Stops the server, moves its data to a disk of its own in memory, and starts it again. */
    void moveToDisk(int megabytes) throws Exception {
        List<String> command = command();
        stop();
        Path before = aside.resolve("before");
        Files.move(data, before);
        Files.createDirectory(data);
        run("mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m,mode=0700", "tmpfs", data.toString());
        copy(before, data);
        Files.deleteIfExists(data.resolve(PID_FILE));
        start(command, aside.resolve("disk.log"));
        await("PostgreSQL on a disk of its own").atMost(SOON).until(this::answers);
    }

    /** Writes a file until the disk is full. */
    void fillDisk() throws IOException {
        try (OutputStream ballast = Files.newOutputStream(data.resolve(BALLAST))) {
            while (true) {
                ballast.write(new byte[PAGE_BYTES]);
            }
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("No space left");
        }
    }

    /** Frees the disk, and starts the server if it has ended, as its supervisor would. */
    void freeDisk() throws IOException {
        List<String> command = command();
        long server = pid();
        Files.delete(data.resolve(BALLAST));
        await("PostgreSQL goes on or ends").atMost(SOON).until(() -> answers() || !isAlive(server));
        if (!isAlive(server)) {
            Files.deleteIfExists(data.resolve(PID_FILE));
            start(command, aside.resolve("freed.log"));
        }
        await("PostgreSQL with a free disk").atMost(SOON).until(this::answers);
    }

    /** Stops the server if it runs, and removes its disk if it has one. */
    void removeDisk() throws Exception {
        if (Files.exists(data.resolve(PID_FILE))) {
            stop();
        }
        if (isMounted(data)) {
            run("umount", data.toString());
        }
    }

    /** Returns whether a disk can be mounted here, which needs root. */
    static boolean canMount() throws Exception {
        Path folder = Files.createTempDirectory("mount-");
        try {
            run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", folder.toString());
            run("umount", folder.toString());
            return true;
        } catch (AssertionError refused) {
            return false;
        } finally {
            Files.delete(folder);
        }
    }

    private static boolean isMounted(Path folder) throws IOException {
        return Files.readString(Path.of("/proc/mounts")).contains(" " + folder + " ");
    }

    private static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(process.waitFor()).as(String.join(" ", command)).isZero();
    }

    /**
     * Starts a second server on the backup, as a synchronous standby: from then on each commit waits for it. The class
     * of tests stops it.
     */
    RestorablePostgres startStandby(int port) throws IOException, SQLException {
        int ownPort = Integer.parseInt(select("SHOW port"));
        Path files = aside.resolve("standby");
        Files.move(backup, files);
        Files.createFile(files.resolve("standby.signal"));
        Files.writeString(
                files.resolve("postgresql.auto.conf"),
                "primary_conninfo = 'host=127.0.0.1 port=%d user=postgres'%n".formatted(ownPort));
        List<String> command = command();
        command.replaceAll(argument -> argument.equals(data.toString())
                ? files.toString()
                : argument.equals(Integer.toString(ownPort)) ? Integer.toString(port) : argument);
        start(command, aside.resolve("standby.log"));
        RestorablePostgres standby = new RestorablePostgres(files, url.replace(":" + ownPort + "/", ":" + port + "/"));
        await("the standby").atMost(SOON).until(standby::answers);
        execute("ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()");
        await("a synchronous standby")
                .atMost(SOON)
                .until(() ->
                        select("SELECT sync_state FROM pg_stat_replication").equals("sync"));
        return standby;
    }

    private List<String> command() throws IOException {
        List<String> command = ARGUMENT.matcher(Files.readString(data.resolve("postmaster.opts")))
                .results()
                .map(found -> found.group().replace("\"", ""))
                .collect(Collectors.toCollection(ArrayList::new));
        if ("root".equals(System.getProperty("user.name"))) {
            // PostgreSQL refuses to run as root, and in a namespace of its own nobody is.
            command.addAll(0, List.of("unshare", "-U"));
        }
        return command;
    }

    private static void start(List<String> command, Path log) throws IOException {
        new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    /** Lets the server and all its processes stand still. Its connections stay open, and nobody gets an answer. */
    void freeze() throws IOException {
        signal("STOP");
    }

    void goOn() throws IOException {
        signal("CONT");
    }

    private void signal(String name) throws IOException {
        ProcessHandle server = ProcessHandle.of(pid()).orElseThrow();
        List<String> command = new ArrayList<>(List.of("kill", "-" + name, Long.toString(server.pid())));
        server.descendants().forEach(each -> command.add(Long.toString(each.pid())));
        new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Lets the server crash, does something while it is down, and starts it again on the same port. */
    void crashDuring(Runnable work) throws IOException {
        List<String> command = command();
        stop();
        try {
            work.run();
        } finally {
            Files.deleteIfExists(data.resolve(PID_FILE));
            start(command, aside.resolve("crashed.log"));
        }
        await("PostgreSQL after its crash").atMost(SOON).until(this::answers);
    }

    /** Stops the server at once, as if it had crashed. */
    void stop() throws IOException {
        stop(pid());
    }

    private long pid() throws IOException {
        return Long.parseLong(
                Files.readAllLines(data.resolve(PID_FILE)).getFirst().strip());
    }

    /** Lets a standby receive nothing more. */
    void cutOff() throws SQLException {
        execute("ALTER SYSTEM SET primary_conninfo = ''", "SELECT pg_reload_conf()");
        await("the end of the reception")
                .atMost(SOON)
                .until(() -> select("SELECT count(*) FROM pg_stat_wal_receiver").equals("0"));
    }

    private static void stop(long server) throws IOException {
        new ProcessBuilder("kill", "-QUIT", Long.toString(server))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        await("the end of PostgreSQL").atMost(SOON).until(() -> !isAlive(server));
    }

    private static boolean isAlive(long server) {
        return ProcessHandle.of(server)
                .filter(ProcessHandle::isAlive)
                // A process that has ended and is not collected yet has none.
                .flatMap(process -> process.info().arguments())
                .isPresent();
    }

    private boolean answers() {
        try (Connection _ = connect()) {
            return true;
        } catch (SQLException e) {
            return false; // Not yet.
        }
    }

    /** Copies what is there; files come and go meanwhile. */
    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path each : files.toList()) {
                Path target = to.resolve(from.relativize(each).toString());
                try {
                    if (Files.isDirectory(each)) {
                        Files.createDirectories(target);
                    } else {
                        Files.copy(
                                each, target, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
                    }
                } catch (NoSuchFileException gone) {
                    // PostgreSQL has removed it, and does not need it.
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
