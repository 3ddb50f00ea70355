package lottery.store.commit;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;

/** A proxy between a client and PostgreSQL, which breaks connections when and where a test wants it to. */
final class Proxy implements AutoCloseable {

    private static final int CONNECT_MAX_MS = 1_000;

    private static final int SYNC_BYTES = 5;

    /** The place where the connection breaks, the next time that data passes there. */
    enum Cut {
        NOWHERE,
        /** The server never gets the request. */
        BEFORE_REQUEST,
        /** The server gets all but the last message of the request, which says that the transaction may end. */
        BEFORE_SYNC,
        /** The server has done the work, and the client never gets the answer. */
        BEFORE_ANSWER,
        /** The server gets the request, and goes on without knowing that its client is gone. */
        AFTER_REQUEST
    }

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final AtomicReference<Plan> plan = new AtomicReference<>(Plan.NONE);
    private final InetSocketAddress target;
    private final String url;
    private final ServerSocket socket;
    private volatile boolean refusing;

    Proxy(TestDatabase database) throws IOException {
        URI uri = URI.create(database.url().substring("jdbc:".length()));
        target = new InetSocketAddress(uri.getHost(), uri.getPort());
        socket = new ServerSocket(0, 50, InetAddress.getByName(uri.getHost()));
        url = "jdbc:postgresql://%s:%d%s".formatted(uri.getHost(), socket.getLocalPort(), uri.getPath());
        threads.execute(this::accept);
    }

    /** Returns the URL of the same database, through this proxy. */
    String url() {
        return url;
    }

    private record Plan(Cut where, int spared) {

        static final Plan NONE = new Plan(Cut.NOWHERE, 0);
    }

    /** Cuts once, the next time that data passes the place. */
    void cut(Cut where) {
        cutAfter(0, where);
    }

    /** Cuts once, after data has passed the place a number of times. */
    void cutAfter(int spared, Cut where) {
        plan.set(new Plan(where, spared));
    }

    /** Returns whether the cut is still to come. */
    boolean isArmed() {
        return !plan.get().equals(Plan.NONE);
    }

    private boolean isDue(Cut where) {
        Plan now = plan.getAndUpdate(next ->
                next.where() != where ? next : next.spared() == 0 ? Plan.NONE : new Plan(where, next.spared() - 1));
        return now.where() == where && now.spared() == 0;
    }

    /** Closes the connections of all clients; the server does not learn of it. */
    void loseClients() {
        links.forEach(link -> closeQuietly(link.client()));
    }

    /** Takes the database away from now on. */
    void refuse() {
        refusing = true;
        links.forEach(Link::close);
    }

    void acceptAgain() {
        refusing = false;
    }

    private record Link(Socket client, Socket server) {

        void close() {
            closeQuietly(client);
            closeQuietly(server);
        }
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                if (refusing) {
                    closeQuietly(client);
                } else {
                    connect(client);
                }
            } catch (IOException e) {
                // The proxy is closed, or the client is gone.
            }
        }
    }

    private void connect(Socket client) throws IOException {
        Socket server = new Socket();
        server.connect(target, CONNECT_MAX_MS);
        Link link = new Link(client, server);
        links.add(link);
        threads.execute(() -> requests(link));
        threads.execute(() -> answers(link));
    }

    private void requests(Link link) {
        byte[] bytes = new byte[1 << 16];
        try {
            InputStream in = link.client().getInputStream();
            for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                if (isDue(Cut.BEFORE_REQUEST)) {
                    link.close();
                    return;
                }
                if (isDue(Cut.BEFORE_SYNC)) {
                    link.server().getOutputStream().write(bytes, 0, n - SYNC_BYTES);
                    return;
                }
                link.server().getOutputStream().write(bytes, 0, n);
                if (isDue(Cut.AFTER_REQUEST)) {
                    closeQuietly(link.client());
                    return;
                }
            }
            closeQuietly(link.server());
        } catch (IOException e) {
            // The server does not learn that its client was cut off: its side is left open.
        }
    }

    private void answers(Link link) {
        byte[] bytes = new byte[1 << 16];
        try {
            InputStream in = link.server().getInputStream();
            for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                if (isDue(Cut.BEFORE_ANSWER)) {
                    link.close();
                    return;
                }
                link.client().getOutputStream().write(bytes, 0, n);
            }
        } catch (IOException e) {
            // One of the two is gone, so the other one is closed.
        } finally {
            links.remove(link);
            link.close();
        }
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It is closed all the same.
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        links.forEach(Link::close);
        threads.shutdownNow();
    }
}
