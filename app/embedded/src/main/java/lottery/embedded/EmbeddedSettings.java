package lottery.embedded;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What to start, and where.
 *
 * @param data the folder that all data, programs and logs of the servers are in
 * @param servers those to start
 * @param ports by server; 0 is any free port, and a server that is missing here has its usual one
 * @param keep whether the data outlives the servers; if not, the folder is emptied before the start and deleted after
 *     the stop
 */
public record EmbeddedSettings(
        Path data, Set<EmbeddedServer> servers, Map<EmbeddedServer, Integer> ports, boolean keep) {

    public EmbeddedSettings {
        servers = Set.copyOf(servers);
        ports = Map.copyOf(ports);
    }

    /** Any free ports, and nothing left behind; all servers if none is named. */
    public static EmbeddedSettings forTests(Path data, EmbeddedServer... servers) {
        Set<EmbeddedServer> asked =
                servers.length == 0 ? EnumSet.allOf(EmbeddedServer.class) : EnumSet.copyOf(List.of(servers));
        Map<EmbeddedServer, Integer> anyFree = new EnumMap<>(EmbeddedServer.class);
        asked.forEach(server -> anyFree.put(server, 0));
        return new EmbeddedSettings(data, asked, anyFree, false);
    }

    int port(EmbeddedServer server) {
        return ports.getOrDefault(server, server.portUsual());
    }
}
