package lottery.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The ports of servers that are about to start. Ports that the system chooses are reserved until this object is closed.
 *
 * <p>Configured ports are checked before any server starts. A server would report a taken port late, and with an error
 * message of its own.
 */
final class ServerPorts implements AutoCloseable {

    static final String LOOPBACK = "127.0.0.1";
    static final int PORT_MAX = 65_535;

    private final Map<ServerInstance, Integer> numbers = new HashMap<>();
    private final List<ReservedPort> reserved = new ArrayList<>();
    private int controller;

    private ServerPorts() {}

    /** Returns the ports of the servers. Each 0 is replaced by a free port. */
    static ServerPorts of(EmbeddedSettings settings, Set<ServerInstance> servers) {
        ServerPorts ports = new ServerPorts();
        try {
            for (ServerInstance server : servers) {
                int port = settings.port(server);
                if (port != 0) {
                    requireFree(server, port);
                }
                ports.numbers.put(server, port == 0 ? ports.any() : port);
            }
            ports.controller = servers.contains(ServerInstance.first(EmbeddedServerKind.KAFKA)) ? ports.any() : 0;
            return ports;
        } catch (RuntimeException failure) {
            ports.close();
            throw failure;
        }
    }

    int of(ServerInstance server) {
        return Objects.requireNonNull(numbers.get(server));
    }

    /** Returns the port of Kafka's controller, which only Kafka itself uses. */
    int ofController() {
        return controller;
    }

    private int any() {
        try {
            ReservedPort port = ReservedPort.any();
            reserved.add(port);
            return port.number();
        } catch (IOException cause) {
            throw new EmbeddedServersFailedException("No free port was found on " + LOOPBACK + ".", cause);
        }
    }

    /**
     * Fails if a port of the web server is taken. Without this check, the failure would come last, after all other
     * parts have been starting for seconds.
     */
    static void requireFreeForWeb(int port, String variable) {
        if (isTaken(null, port)) {
            throw new EmbeddedServersFailedException(
                    "Port %d is taken by another program; stop it or set %s to a free port.".formatted(port, variable));
        }
    }

    private static void requireFree(ServerInstance server, int port) {
        String setting = server.kind().portSetting();
        String variable = setting.replaceAll("[.-]", "_").toUpperCase(Locale.ROOT);
        if (port > PORT_MAX) {
            throw new EmbeddedServersFailedException(
                    "Port %d, which the embedded %s needs, does not exist; set %s (%s) to a smaller number."
                            .formatted(port, server.title(), setting, variable));
        }
        if (isTaken(InetAddress.ofLiteral(LOOPBACK), port)) {
            throw new EmbeddedServersFailedException(
                    "Port %d, which the embedded %s needs, is taken by another program; stop it or set %s (%s) to a free port."
                            .formatted(port, server.title(), setting, variable));
        }
    }

    private static boolean isTaken(@Nullable InetAddress address, int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(address, port));
            return false;
        } catch (IOException taken) {
            return true;
        }
    }

    @Override
    public void close() {
        reserved.forEach(ReservedPort::close);
    }
}
