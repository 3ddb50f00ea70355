package lottery.embedded;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * PostgreSQL, Redis and Kafka for one caller of {@code start}.
 *
 * <p>All callers within one process that name the same folder share the servers. The servers run until the last of
 * these callers closes its object.
 */
public final class EmbeddedServers implements AutoCloseable {

    private static final Map<Path, SharedServers> SHARED = new HashMap<>();

    /** The instances that a shutdown hook closes at the end of the process, unless their users close them earlier. */
    private static final Set<EmbeddedServers> OPEN = new HashSet<>();

    private static boolean hooked;

    private final Path data;
    private final SharedServers shared;
    private final Map<String, String> properties;
    private boolean closed;

    private EmbeddedServers(Path data, SharedServers shared, Map<String, String> properties) {
        this.data = data;
        this.shared = shared;
        this.properties = properties;
    }

    /**
     * Starts the servers and waits until all of them answer. They stop when the result is closed, or at the end of the
     * process.
     *
     * @throws EmbeddedServersFailedException if a server cannot be started; the message is a sentence for the user
     */
    public static EmbeddedServers start(EmbeddedSettings settings) {
        return start(settings, StartProgress.SILENT);
    }

    static EmbeddedServers start(EmbeddedSettings settings, StartProgress progress) {
        QuietLoggers.quiet();
        synchronized (SHARED) {
            if (!hooked) {
                // The hook is registered before the start. If the process ends during the start, the servers that have
                // started are stopped.
                Runtime.getRuntime().addShutdownHook(new Thread(EmbeddedServers::closeAll, "lottery-embedded-stop"));
                hooked = true;
            }
            EmbeddedServers servers = shared(DataFolder.create(settings.data()), settings, progress);
            OPEN.add(servers);
            return servers;
        }
    }

    private static EmbeddedServers shared(Path data, EmbeddedSettings settings, StartProgress progress) {
        SharedServers shared = SHARED.get(data);
        if (shared == null) {
            shared = new SharedServers(RunningServers.start(data, settings, progress));
            SHARED.put(data, shared);
        } else {
            shared.servers.startMissing(settings);
        }
        shared.users++;
        return new EmbeddedServers(data, shared, shared.servers.properties(settings));
    }

    /**
     * Excludes this instance from the shutdown hook. The caller closes this instance at the end of the process, in an
     * order that only the caller knows.
     */
    void leaveToOthers() {
        synchronized (SHARED) {
            OPEN.remove(this);
        }
    }

    /** Returns the addresses as settings of the application: {@code lottery.postgres.url} and so on. */
    public Map<String, String> properties() {
        return properties;
    }

    /** Releases the servers. They stop if they have no other user. */
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

    private static final class SharedServers {

        private final RunningServers servers;
        private int users;

        private SharedServers(RunningServers servers) {
            this.servers = servers;
        }
    }
}
