package lottery.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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

    /** Matches the process id and the time before an error message in the logs of Redis and PostgreSQL. */
    private static final String PREAMBLE = "^.*?( # |UTC \\[\\d+] )";

    private static final List<String> COMPLAINTS =
            List.of("error", "fatal", "panic", "could not", "can't", "no space left", "bad file");

    private final DataFolder folder;
    private final boolean keep;
    private final StartProgress progress;
    private final Map<EmbeddedServerKind, RunningServer> running = new EnumMap<>(EmbeddedServerKind.class);

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
            PostgresServer.stopProcess(folder);
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
        Set<EmbeddedServerKind> missing = EnumSet.noneOf(EmbeddedServerKind.class);
        missing.addAll(settings.servers());
        missing.removeAll(running.keySet());
        progress.begins(missing);
        try (ServerPorts ports = ServerPorts.of(settings, missing)) {
            Map<EmbeddedServerKind, Callable<RunningServer>> starts = new EnumMap<>(EmbeddedServerKind.class);
            missing.forEach(server -> starts.put(server, () -> start(server, ports, settings)));
            // Redis starts alone. The system may refuse to run a program that was just written while another process is
            // being started.
            startTogether(EnumSet.of(EmbeddedServerKind.REDIS), starts);
            startTogether(EnumSet.of(EmbeddedServerKind.POSTGRES, EmbeddedServerKind.KAFKA), starts);
        } catch (EmbeddedServersFailedException failure) {
            stop(missing);
            throw failure;
        }
    }

    Map<String, String> properties(Set<EmbeddedServerKind> servers) {
        Map<String, String> properties = new HashMap<>();
        running.forEach((server, each) -> {
            if (servers.contains(server)) {
                properties.putAll(each.properties());
            }
        });
        return Map.copyOf(properties);
    }

    void stop() {
        stop(EnumSet.allOf(EmbeddedServerKind.class));
        if (keep) {
            folder.close();
        } else {
            folder.deleteAndClose();
        }
    }

    private void stop(Set<EmbeddedServerKind> servers) {
        for (EmbeddedServerKind server : STOP_ORDER) {
            @Nullable RunningServer each = servers.contains(server) ? running.remove(server) : null;
            if (each != null) {
                each.stop();
            }
        }
    }

    /**
     * Starts these servers at the same time, and waits for all of them. It waits even after one has failed, because a
     * server that is still starting cannot be stopped.
     */
    private void startTogether(
            Set<EmbeddedServerKind> servers, Map<EmbeddedServerKind, Callable<RunningServer>> starts) {
        ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().daemon().name("lottery-embedded-start-", 0).factory());
        Map<EmbeddedServerKind, Future<RunningServer>> futures = new EnumMap<>(EmbeddedServerKind.class);
        starts.forEach((server, start) -> {
            if (servers.contains(server)) {
                futures.put(server, threads.submit(start));
            }
        });
        long end = System.nanoTime() + START_MAX.toNanos();
        @Nullable EmbeddedServersFailedException first = null;
        for (Map.Entry<EmbeddedServerKind, Future<RunningServer>> each : futures.entrySet()) {
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

    private RunningServer start(EmbeddedServerKind server, ServerPorts ports, EmbeddedSettings settings)
            throws Exception {
        int port = ports.of(server);
        Files.deleteIfExists(folder.log(server));
        long beganNanos = System.nanoTime();
        RunningServer started = switch (server) {
            case POSTGRES -> PostgresServer.start(folder, port);
            case REDIS -> RedisServer.start(folder, port);
            case KAFKA -> KafkaBroker.start(folder, port, ports.ofController(), settings.kafka());
        };
        progress.started(server, Duration.ofNanos(System.nanoTime() - beganNanos));
        return started;
    }

    private EmbeddedServersFailedException refused(EmbeddedServerKind server, @Nullable Throwable cause) {
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
    private String reason(EmbeddedServerKind server, @Nullable Throwable cause) {
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
