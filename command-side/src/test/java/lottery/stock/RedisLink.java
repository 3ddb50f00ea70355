package lottery.stock;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** A TCP proxy between the application and Redis, which can cut connections or swallow their data. */
final class RedisLink implements Closeable {

    private enum LinkState {
        WHOLE,
        SWALLOWING,
        CUT
    }

    private final ServerSocket plug;
    private final InetSocketAddress redis;
    private final Set<Socket> ends = ConcurrentHashMap.newKeySet();
    private volatile LinkState state = LinkState.WHOLE;

    private RedisLink(InetSocketAddress redis) throws IOException {
        this.redis = redis;
        this.plug = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.startVirtualThread(this::connect);
    }

    /** Acts like a Redis that is stopped: connections end, and new ones do too. */
    void cut() {
        state = LinkState.CUT;
        hangUp();
    }

    /** Acts like a very slow Redis: no request is answered. */
    void swallow() {
        state = LinkState.SWALLOWING;
    }

    /** Ends the connections whose data was swallowed. */
    void mend() {
        LinkState before = state;
        state = LinkState.WHOLE;
        if (before == LinkState.SWALLOWING) {
            hangUp();
        }
    }

    private void hangUp() {
        ends.forEach(RedisLink::hangUp);
        ends.clear();
    }

    private void connect() {
        while (!plug.isClosed()) {
            try {
                Socket client = plug.accept();
                if (state == LinkState.CUT) {
                    hangUp(client);
                } else {
                    connect(client);
                }
            } catch (IOException closing) {
                hangUp();
            }
        }
    }

    private void connect(Socket client) throws IOException {
        Socket server = new Socket(redis.getAddress(), redis.getPort());
        ends.add(client);
        ends.add(server);
        Thread.startVirtualThread(() -> carry(client, server));
        Thread.startVirtualThread(() -> carry(server, client));
    }

    private void carry(Socket from, Socket to) {
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            byte[] buffer = new byte[8192];
            for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
                if (state != LinkState.SWALLOWING) {
                    out.write(buffer, 0, length);
                }
            }
        } catch (IOException hungUp) {
            hangUp(to);
        } finally {
            ends.remove(from);
            ends.remove(to);
        }
    }

    private static void hangUp(Socket end) {
        try {
            end.close();
        } catch (IOException gone) {
            throw new IllegalStateException("a socket did not close", gone);
        }
    }

    @Override
    public void close() throws IOException {
        plug.close();
        hangUp();
    }

    private String url() {
        return "redis://127.0.0.1:" + plug.getLocalPort();
    }

    /** Starts the proxy once the server is known, before a client connects. */
    static final class LinkInitializer implements ApplicationContextInitializer<ConfigurableApplicationContext> {

        @Override
        public void initialize(ConfigurableApplicationContext context) {
            URI url = URI.create(context.getEnvironment().getRequiredProperty("lottery.redis.url"));
            try {
                RedisLink link = new RedisLink(new InetSocketAddress(url.getHost(), url.getPort()));
                context.getBeanFactory().registerSingleton("redis-link", link);
                context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new MapPropertySource("redis-link", Map.of("lottery.redis-link.url", link.url())));
            } catch (IOException e) {
                throw new IllegalStateException("no link to " + url, e);
            }
        }
    }
}
