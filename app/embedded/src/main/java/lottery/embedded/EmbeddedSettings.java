package lottery.embedded;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The servers to start, and where their data is.
 *
 * @param data the folder for all data, programs and logs of the servers
 * @param servers the servers to start
 * @param ports the ports by server; 0 means any free port, and a server that is missing here gets its default port
 * @param keep whether the data is kept; if not, the folder is emptied before the start and deleted after the stop
 * @param kafka settings that override those of the broker, for example for TLS. Clients connect to its listener
 *     {@code CLIENTS}
 */
public record EmbeddedSettings(
        Path data,
        Set<EmbeddedServerKind> servers,
        Map<EmbeddedServerKind, Integer> ports,
        boolean keep,
        Map<String, String> kafka) {

    public EmbeddedSettings {
        servers = Set.copyOf(servers);
        ports = Map.copyOf(ports);
        kafka = Map.copyOf(kafka);
    }

    public EmbeddedSettings(
            Path data, Set<EmbeddedServerKind> servers, Map<EmbeddedServerKind, Integer> ports, boolean keep) {
        this(data, servers, ports, keep, Map.of());
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
        return new EmbeddedSettings(data, servers, ports, keep, settings);
    }

    int port(EmbeddedServerKind server) {
        return ports.getOrDefault(server, server.portUsual());
    }
}
