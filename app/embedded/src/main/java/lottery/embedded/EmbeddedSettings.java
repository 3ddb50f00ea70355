package lottery.embedded;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The servers to start, and where their data is.
 *
 * @param data the folder for all data, programs and logs of the servers
 * @param servers the servers to start
 * @param ports the ports by server; 0 means any free port, and a server that is missing here gets its default port
 * @param databases the number of PostgreSQL servers; log NN lies on server NN modulo this number
 * @param logs the number of logs, which is {@code lottery.logs}; with one database it does not matter
 * @param logsElsewhere the numbers of the logs whose address is configured, which these servers have nothing to do with
 * @param keep whether the data is kept; if not, the folder is emptied before the start and deleted after the stop
 * @param kafka settings that override those of the broker, for example for TLS. Clients connect to its listener
 *     {@code CLIENTS}
 */
public record EmbeddedSettings(
        Path data,
        Set<EmbeddedServerKind> servers,
        Map<EmbeddedServerKind, Integer> ports,
        int databases,
        int logs,
        Set<Integer> logsElsewhere,
        boolean keep,
        Map<String, String> kafka) {

    static final int DATABASES_MAX = 8;

    public EmbeddedSettings {
        if (databases < 1 || databases > DATABASES_MAX) {
            throw new EmbeddedServersFailedException(
                    "The setting lottery.embedded.databases is %d, which is not a number from 1 to %d."
                            .formatted(databases, DATABASES_MAX));
        }
        if (logs < databases) {
            throw new EmbeddedServersFailedException(
                    "The setting lottery.logs is %d, but each of the %d databases needs a log; set LOTTERY_LOGS to %d or more."
                            .formatted(logs, databases, databases));
        }
        servers = Set.copyOf(servers);
        ports = Map.copyOf(ports);
        logsElsewhere = Set.copyOf(logsElsewhere);
        kafka = Map.copyOf(kafka);
    }

    public EmbeddedSettings(
            Path data, Set<EmbeddedServerKind> servers, Map<EmbeddedServerKind, Integer> ports, boolean keep) {
        this(data, servers, ports, 1, 1, Set.of(), keep, Map.of());
    }

    /**
     * Returns settings for tests: with free ports, and without kept data. If no server is named, they are for all
     * servers.
     */
    public static EmbeddedSettings forTests(Path data, EmbeddedServerKind... servers) {
        Set<EmbeddedServerKind> asked =
                servers.length == 0 ? EnumSet.allOf(EmbeddedServerKind.class) : EnumSet.copyOf(List.of(servers));
        Map<EmbeddedServerKind, Integer> anyFree = new EnumMap<>(EmbeddedServerKind.class);
        asked.forEach(server -> anyFree.put(server, 0));
        return new EmbeddedSettings(data, asked, anyFree, false);
    }

    public EmbeddedSettings withKafka(Map<String, String> settings) {
        return new EmbeddedSettings(data, servers, ports, databases, logs, logsElsewhere, keep, settings);
    }

    /** Returns these settings with several PostgreSQL servers, over which the logs are spread. */
    public EmbeddedSettings withDatabases(int databases, int logs) {
        return withDatabases(databases, logs, Set.of());
    }

    EmbeddedSettings withDatabases(int databases, int logs, Set<Integer> logsElsewhere) {
        return new EmbeddedSettings(data, servers, ports, databases, logs, logsElsewhere, keep, kafka);
    }

    Set<ServerInstance> instances() {
        Set<ServerInstance> instances = new HashSet<>();
        for (EmbeddedServerKind server : servers) {
            int number = server == EmbeddedServerKind.POSTGRES ? databases : 1;
            for (int index = 0; index < number; index++) {
                instances.add(new ServerInstance(server, index));
            }
        }
        return instances;
    }

    /** Returns the port of the server: 0, or that of the first server of its kind plus its index. */
    int port(ServerInstance server) {
        int first = ports.getOrDefault(server.kind(), server.kind().portUsual());
        return first == 0 ? 0 : first + server.index();
    }
}
