package lottery.app;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The way of one process to PostgreSQL. It can stop to carry anything, while both sides keep their connections: neither
 * of them learns of it.
 */
final class PostgresLink implements AutoCloseable {

    private static final int CONNECT_MAX_MS = 5_000;
    private static final int WAITING_MAX = 50;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final URI database;
    private final ServerSocket entrance;
    private boolean carries = true;

    private PostgresLink(URI database) throws IOException {
        this.database = database;
        this.entrance = new ServerSocket(0, WAITING_MAX, InetAddress.getByName(database.getHost()));
    }

    static PostgresLink open() throws IOException {
        PostgresLink link = new PostgresLink(
                URI.create(Servers.property("lottery.postgres.url").substring("jdbc:".length())));
        link.threads.execute(link::accept);
        return link;
    }

    /** Returns the URL of the database over this link, under a name that PostgreSQL shows. */
    String url(String applicationName) {
        return "jdbc:postgresql://%s:%d%s?ApplicationName=%s"
                .formatted(database.getHost(), entrance.getLocalPort(), database.getPath(), applicationName);
    }

    /** Carries nothing any more, in neither direction. */
    synchronized void stop() {
        carries = false;
    }

    /** Carries what has come meanwhile, and goes on. */
    synchronized void goOn() {
        carries = true;
        notifyAll();
    }

    private synchronized void awaitTurn() throws InterruptedException {
        while (!carries) {
            wait();
        }
    }

    private void accept() {
        while (!entrance.isClosed()) {
            try {
                Socket client = entrance.accept();
                sockets.add(client);
                threads.execute(() -> connect(client));
            } catch (IOException e) {
                // The link is closed, or the client is gone already.
            }
        }
    }

    private void connect(Socket client) {
        Socket server = new Socket();
        sockets.add(server);
        try {
            awaitTurn();
            server.connect(new InetSocketAddress(database.getHost(), database.getPort()), CONNECT_MAX_MS);
            threads.execute(() -> carry(client, server));
            threads.execute(() -> carry(server, client));
        } catch (IOException e) {
            close(client, server);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            close(client, server);
        }
    }

    private void carry(Socket from, Socket to) {
        byte[] bytes = new byte[1 << 16];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                awaitTurn();
                out.write(bytes, 0, n);
            }
            awaitTurn();
        } catch (IOException e) {
            // One side is gone: the other one learns of it when the link carries something.
            awaitTurnQuietly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            close(from, to);
        }
    }

    private void awaitTurnQuietly() {
        try {
            awaitTurn();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void close(Socket... both) {
        for (Socket socket : both) {
            sockets.remove(socket);
            try {
                socket.close();
            } catch (IOException e) {
                // It is closed all the same.
            }
        }
    }

    @Override
    public void close() throws IOException {
        entrance.close();
        threads.shutdownNow();
        close(sockets.toArray(Socket[]::new));
    }
}
