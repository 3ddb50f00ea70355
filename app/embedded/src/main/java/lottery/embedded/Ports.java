package lottery.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Ports are tried before anything starts: a server that finds its port taken says so late and in its own words. */
final class Ports {

    static final String LOOPBACK = "127.0.0.1";

    private Ports() {}

    /** The port of each server, with any free one in place of 0. */
    static Map<EmbeddedServer, Integer> of(EmbeddedSettings settings, Set<EmbeddedServer> servers) {
        List<Integer> free = new ArrayList<>(free(servers.size()));
        Map<EmbeddedServer, Integer> ports = new EnumMap<>(EmbeddedServer.class);
        for (EmbeddedServer server : servers) {
            int port = settings.port(server);
            if (port != 0) {
                requireFree(server, port);
            }
            ports.put(server, port == 0 ? free.removeLast() : port);
        }
        return ports;
    }

    /** The web server's port: it would be the last to be tried, after seconds of starting everything else. */
    static void requireFreeForWeb(int port) {
        if (isTaken(null, port)) {
            throw new ServersRefused(
                    "Port %d is taken by another program; stop it or set LOTTERY_PORT to a free port.".formatted(port));
        }
    }

    /** All at once, so that they differ. */
    static List<Integer> free(int count) {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.ofLiteral(LOOPBACK)));
            }
            return sockets.stream().map(ServerSocket::getLocalPort).toList();
        } catch (IOException cause) {
            throw new ServersRefused("No free port was found on " + LOOPBACK + ".", cause);
        } finally {
            sockets.forEach(Ports::close);
        }
    }

    private static void requireFree(EmbeddedServer server, int port) {
        if (isTaken(InetAddress.ofLiteral(LOOPBACK), port)) {
            String setting = server.portSetting();
            String variable = setting.replaceAll("[.-]", "_").toUpperCase(Locale.ROOT);
            throw new ServersRefused(
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

    private static void close(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException ignored) {
            // It was only held for its number; a server that then finds it taken says so.
        }
    }
}
