package lottery.embedded;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * PostgreSQL, Redis and Kafka, which run until their user closes this.
 *
 * <p>All users within one process who name the same folder share the servers, which stop with the last of their users.
 */
public final class EmbeddedServers implements AutoCloseable {

    private static final Map<Path, Shared> SHARED = new HashMap<>();

    /** Instances that the end of the process closes, unless their users close them earlier. */
    private static final Set<EmbeddedServers> OPEN = new HashSet<>();

    private static boolean hooked;

    private final Path data;
    private final Shared shared;
    private final Map<String, String> properties;
    private boolean closed;

    private EmbeddedServers(Path data, Shared shared, Map<String, String> properties) {
        this.data = data;
        this.shared = shared;
        this.properties = properties;
    }

    /**
     * Starts the servers and waits until all of them answer. They stop when this is closed, or at the end of the
     * process.
     *
     * @throws ServersRefused with a sentence for the user
     */
    public static EmbeddedServers start(EmbeddedSettings settings) {
        return start(settings, StartProgress.SILENT);
    }

    static EmbeddedServers start(EmbeddedSettings settings, StartProgress progress) {
        QuietLoggers.quiet();
        synchronized (SHARED) {
            if (!hooked) {
                // Registered before the start, so that the end of the process in the middle of it stops what has
                // started.
                Runtime.getRuntime().addShutdownHook(new Thread(EmbeddedServers::closeAll, "lottery-embedded-stop"));
                hooked = true;
            }
            EmbeddedServers servers = shared(DataFolder.create(settings.data()), settings, progress);
            OPEN.add(servers);
            return servers;
        }
    }

    private static EmbeddedServers shared(Path data, EmbeddedSettings settings, StartProgress progress) {
        Shared shared = SHARED.get(data);
        if (shared == null) {
            shared = new Shared(RunningServers.start(data, settings, progress));
            SHARED.put(data, shared);
        } else {
            shared.servers.startMissing(settings);
        }
        shared.users++;
        return new EmbeddedServers(data, shared, shared.servers.properties(settings.servers()));
    }

    /** Leaves it to others to close this at the end of the process, in an order that only they know. */
    void leaveToOthers() {
        synchronized (SHARED) {
            OPEN.remove(this);
        }
    }

    /** Returns the addresses as settings of the application: {@code lottery.postgres.url} and so on. */
    public Map<String, String> properties() {
        return properties;
    }

    /** Releases the servers, which stop if nobody else uses them. */
    @Override
    public void close() {
        synchronized (SHARED) {
            if (closed) {
                return;
            }
            closed = true;
            OPEN.remove(this);
            shared.users--;
            if (shared.users == 0) {
                SHARED.remove(data);
                shared.servers.stop();
            }
        }
    }

    private static void closeAll() {
        synchronized (SHARED) {
            Set.copyOf(OPEN).forEach(EmbeddedServers::close);
        }
    }

    private static final class Shared {

        private final RunningServers servers;
        private int users;

        private Shared(RunningServers servers) {
            this.servers = servers;
        }
    }
}
