package lottery.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The servers that run with one data folder. */
final class RunningServers {

    /** Long, because the first start unpacks programs and creates a database. On a busy machine this takes minutes. */
    private static final Duration START_MAX = Duration.ofMinutes(3);

    /**
     * The order in which servers stop. Kafka stops first, because no other server uses it. PostgreSQL stops last,
     * because everything writes to it until the end.
     */
    private static final List<EmbeddedServerKind> STOP_ORDER =
            List.of(EmbeddedServerKind.KAFKA, EmbeddedServerKind.REDIS, EmbeddedServerKind.POSTGRES);

    private static final ServerInstance HOME = ServerInstance.first(EmbeddedServerKind.POSTGRES);

    /** Matches the process id and the time before an error message in the logs of Redis and PostgreSQL. */
    private static final String PREAMBLE = "^.*?( # |UTC \\[\\d+] )";

    private static final List<String> COMPLAINTS =
            List.of("error", "fatal", "panic", "could not", "can't", "no space left", "bad file");

    private final DataFolder folder;
    private final boolean keep;
    private final StartProgress progress;
    private final Map<ServerInstance, RunningServer> running = new HashMap<>();
    private final Map<String, String> secretKeys = new HashMap<>();

    /** The index of the PostgreSQL server for each log that is not new. */
    private final Map<Integer, Integer> logs = new HashMap<>();

    private RunningServers(DataFolder folder, boolean keep, StartProgress progress) {
        this.folder = folder;
        this.keep = keep;
        this.progress = progress;
    }

    static RunningServers start(Path data, EmbeddedSettings settings, StartProgress progress) {
        DataFolder folder = DataFolder.own(data);
        RunningServers servers = new RunningServers(folder, settings.keep(), progress);
        try {
            RedisServer.stopProcess(folder);
            folder.databases().forEach(PostgresServer::stopProcess);
            if (!settings.keep()) {
                folder.empty();
            }
            folder.requireUsable(DataFolder.SPACE_MIN_BYTES);
            servers.startMissing(settings);
            return servers;
        } catch (RuntimeException failure) {
            try {
                servers.stop();
            } catch (RuntimeException consequence) {
                // The files of a server that is still starting cannot all be deleted. The first failure says why.
                failure.addSuppressed(consequence);
            }
            throw failure;
        }
    }

    /**
     * Starts the requested servers that do not run yet. If the start of one server fails, all servers that this call
     * has started stop again.
     */
    void startMissing(EmbeddedSettings settings) {
        Set<ServerInstance> missing = settings.instances();
        if (missing.contains(HOME)) {
            requireNoFewerDatabases(settings);
        }
        missing.removeAll(running.keySet());
        progress.begins(missing);
        try (ServerPorts ports = ServerPorts.of(settings, missing)) {
            if (missing.contains(HOME)) {
                readSecretKeys();
            }
            List<ServerInstance> redis = missing.stream()
                    .filter(server -> server.kind() == EmbeddedServerKind.REDIS)
                    .toList();
            Set<ServerInstance> others = new HashSet<>(missing);
            others.removeAll(redis);
            // Redis starts alone. The system may refuse to run a program that was just written while another process is
            // being started.
            startTogether(redis, ports, settings);
            startTogether(others, ports, settings);
            findLogs(settings);
        } catch (EmbeddedServersFailedException failure) {
            stop(missing);
            throw failure;
        }
    }

    /** Refuses a start that would leave out a database with data. */
    private void requireNoFewerDatabases(EmbeddedSettings settings) {
        int made = databasesMade();
        if (made > settings.databases()) {
            throw new EmbeddedServersFailedException(
                    "The data in %s lies in %d databases, and not in %d; set LOTTERY_EMBEDDED_DATABASES to %d, or lottery.data to another folder."
                            .formatted(folder.path(), made, settings.databases(), made));
        }
    }

    private int databasesMade() {
        List<Path> databases = folder.databases();
        return IntStream.rangeClosed(1, databases.size())
                .filter(number -> PostgresServer.isComplete(databases.get(number - 1)))
                .max()
                .orElse(0);
    }

    private void readSecretKeys() {
        try {
            secretKeys.putAll(SecretKeyFiles.properties(folder, databasesMade() > 0));
        } catch (IOException cause) {
            throw refused(HOME, cause);
        }
    }

    /**
     * Finds the logs that are not on the server on which a new log would be, because databases were added after them,
     * or because they have moved.
     */
    private void findLogs(EmbeddedSettings settings) {
        logs.clear();
        List<PostgresServer> databases = settings.databases() == 1 ? List.of() : databases();
        for (int index = 0; index < databases.size(); index++) {
            try {
                for (int log : databases.get(index).logs()) {
                    logs.put(log, index);
                }
            } catch (SQLException cause) {
                throw refused(new ServerInstance(EmbeddedServerKind.POSTGRES, index), cause);
            }
        }
    }

    /** Returns the PostgreSQL servers that run, that of the home log first. */
    private List<PostgresServer> databases() {
        List<PostgresServer> databases = new ArrayList<>();
        while (running.get(new ServerInstance(EmbeddedServerKind.POSTGRES, databases.size()))
                instanceof PostgresServer next) {
            databases.add(next);
        }
        return databases;
    }

    Map<String, String> properties(EmbeddedSettings settings) {
        Map<String, String> properties = new HashMap<>();
        settings.servers().forEach(server -> {
            @Nullable RunningServer first = running.get(ServerInstance.first(server));
            if (first != null) {
                properties.putAll(first.properties());
            }
        });
        if (settings.servers().contains(EmbeddedServerKind.POSTGRES)) {
            properties.putAll(secretKeys);
            properties.putAll(logs(settings));
        }
        return Map.copyOf(properties);
    }

    /** Returns the number of logs, and the addresses of those that are not on the first server. */
    private Map<String, String> logs(EmbeddedSettings settings) {
        if (settings.databases() == 1) {
            return Map.of();
        }
        List<PostgresServer> databases = databases();
        Map<String, String> addresses = new HashMap<>();
        addresses.put("lottery.logs", Integer.toString(settings.logs()));
        for (int log = 1; log < settings.logs(); log++) {
            int index = logs.getOrDefault(log, log % settings.databases());
            if (index > 0 && !settings.logsElsewhere().contains(log)) {
                addresses.put(
                        "lottery.log.%02d.url".formatted(log),
                        databases.get(index).url());
            }
        }
        return addresses;
    }

    void stop() {
        stop(Set.copyOf(running.keySet()));
        if (keep) {
            folder.close();
        } else {
            folder.deleteAndClose();
        }
    }

    private void stop(Set<ServerInstance> servers) {
        servers.stream()
                .sorted(Comparator.comparingInt(server -> STOP_ORDER.indexOf(server.kind())))
                .forEach(server -> {
                    @Nullable RunningServer each = running.remove(server);
                    if (each != null) {
                        each.stop();
                    }
                });
    }

    /**
     * Starts these servers at the same time, and waits for all of them. It waits even after one has failed, because a
     * server that is still starting cannot be stopped.
     */
    private void startTogether(Collection<ServerInstance> servers, ServerPorts ports, EmbeddedSettings settings) {
        ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().daemon().name("lottery-embedded-start-", 0).factory());
        Map<ServerInstance, Future<RunningServer>> futures = new HashMap<>();
        servers.forEach(server -> futures.put(server, threads.submit(() -> start(server, ports, settings))));
        long end = System.nanoTime() + START_MAX.toNanos();
        @Nullable EmbeddedServersFailedException first = null;
        for (Map.Entry<ServerInstance, Future<RunningServer>> each : futures.entrySet()) {
            try {
                running.put(each.getKey(), each.getValue().get(end - System.nanoTime(), TimeUnit.NANOSECONDS));
            } catch (ExecutionException failure) {
                first = first == null ? refused(each.getKey(), failure.getCause()) : first;
            } catch (TimeoutException late) {
                first = first == null ? refused(each.getKey(), late) : first;
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                first = first == null ? refused(each.getKey(), interrupted) : first;
            }
        }
        // This interrupts starts that take too long. The threads do nothing else.
        threads.shutdownNow();
        if (first != null) {
            throw first;
        }
    }

    private RunningServer start(ServerInstance server, ServerPorts ports, EmbeddedSettings settings) throws Exception {
        int port = ports.of(server);
        Files.deleteIfExists(folder.log(server));
        long beganNanos = System.nanoTime();
        RunningServer started = switch (server.kind()) {
            case POSTGRES ->
                PostgresServer.start(
                        folder.of(server), folder.log(server), folder.programs(), port, settings.databases() > 1);
            case REDIS -> RedisServer.start(folder, port);
            case KAFKA -> KafkaBroker.start(folder, port, ports.ofController(), settings.kafka());
        };
        progress.started(server, Duration.ofNanos(System.nanoTime() - beganNanos));
        return started;
    }

    private EmbeddedServersFailedException refused(ServerInstance server, @Nullable Throwable cause) {
        if (cause instanceof EmbeddedServersFailedException refused) {
            return refused;
        }
        return new EmbeddedServersFailedException(
                "The embedded %s did not start in %s (%s); set lottery.data to another folder if this one is the reason."
                        .formatted(server.title(), folder.path(), reason(server, cause)),
                cause);
    }

    /**
     * Returns the last error message in the server's log, because it says more than the exception. If the log has none,
     * returns the message of the cause.
     */
    private String reason(ServerInstance server, @Nullable Throwable cause) {
        Path log = folder.log(server);
        if (Files.exists(log)) {
            try {
                List<String> complaints = Files.readString(log, StandardCharsets.ISO_8859_1)
                        .lines()
                        .filter(RunningServers::isComplaint)
                        .toList();
                if (!complaints.isEmpty()) {
                    return complaints.getLast().replaceFirst(PREAMBLE, "").strip();
                }
            } catch (IOException ignored) {
                // The log cannot be read, so the cause is returned.
            }
        }
        return cause == null || cause.getMessage() == null ? String.valueOf(cause) : cause.getMessage();
    }

    /**
     * Returns whether the line is an error message with a cause. Lines of the launcher do not count, because they only
     * say that the start has failed.
     */
    private static boolean isComplaint(String line) {
        String lower = line.toLowerCase(Locale.ROOT);
        return COMPLAINTS.stream().anyMatch(lower::contains) && !lower.startsWith("pg_ctl");
    }
}
