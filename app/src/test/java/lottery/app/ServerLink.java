package lottery.app;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A way to a server. It can stop to carry anything, while both sides keep their connections: neither of them learns of
 * it. It can be slow, and it can lose its connections in such a way that only the server learns of it.
 */
final class ServerLink implements AutoCloseable {

    private static final int CONNECT_MAX_MS = 5_000;
    private static final int WAITING_MAX = 50;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Set<CarriedConnection> connections = ConcurrentHashMap.newKeySet();
    private final InetSocketAddress server;
    private final ServerSocket entrance;
    private volatile Duration delay = Duration.ZERO;
    private boolean carries = true;

    private ServerLink(InetSocketAddress server) throws IOException {
        this.server = server;
        this.entrance = new ServerSocket(0, WAITING_MAX, InetAddress.getByName(server.getHostString()));
    }

    /** @param address host and port of the server, as in {@code localhost:6379} */
    static ServerLink open(String address) throws IOException {
        URI uri = URI.create("tcp://" + address);
        ServerLink link = new ServerLink(new InetSocketAddress(uri.getHost(), uri.getPort()));
        link.threads.execute(link::accept);
        return link;
    }

    static ServerLink toPostgres() throws IOException {
        return open(URI.create(Servers.property("lottery.postgres.url").substring("jdbc:".length()))
                .getAuthority());
    }

    /** Returns host and port at which this link begins. */
    String address() {
        return server.getHostString() + ":" + entrance.getLocalPort();
    }

    /** Returns the URL of the database over this link, under a name that PostgreSQL shows. */
    String postgresUrl(String applicationName) {
        return Servers.property("lottery.postgres.url").replaceFirst("//[^/]*", "//" + address()) + "?ApplicationName="
                + applicationName;
    }

    /** Carries nothing any more, in neither direction. */
    synchronized void stop() {
        carries = false;
    }

    /** Carries what has come meanwhile, at once, and goes on. */
    synchronized void goOn() {
        carries = true;
        delay = Duration.ZERO;
        notifyAll();
    }

    /** Carries each piece only after this time. */
    void slowDown(Duration eachPiece) {
        delay = eachPiece;
    }

    /**
     * Ends all connections for the server, as if it had lost its power and had it again. A client learns of it when it
     * sends something. A client that only waits does not learn of it.
     */
    void loseConnections() {
        connections.forEach(CarriedConnection::lose);
    }

    /** Tells the clients that still wait for an answer on a connection that is lost, as TCP does after a while. */
    void endLostConnections() {
        connections.stream().filter(connection -> connection.isLost).forEach(CarriedConnection::close);
    }

    private synchronized void awaitTurn() throws InterruptedException {
        while (!carries) {
            wait();
        }
    }

    private void accept() {
        while (!entrance.isClosed()) {
            try {
                CarriedConnection connection = new CarriedConnection(entrance.accept());
                connections.add(connection);
                threads.execute(connection::connect);
            } catch (IOException e) {
                // The link is closed, or the client is gone already.
            }
        }
    }

    private final class CarriedConnection {

        private final Socket client;
        private final Socket toServer = new Socket();
        private volatile boolean isLost;

        CarriedConnection(Socket client) {
            this.client = client;
        }

        void connect() {
            try {
                awaitTurn();
                toServer.connect(server, CONNECT_MAX_MS);
                threads.execute(() -> carry(client, toServer));
                threads.execute(() -> carry(toServer, client));
            } catch (IOException e) {
                close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                close();
            }
        }

        private void carry(Socket from, Socket to) {
            try {
                carryAll(from, to);
                awaitTurn();
            } catch (IOException e) {
                // One side is gone: the other one learns of it when the link carries something.
                awaitTurnQuietly();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                if (!isLost || from.equals(client)) {
                    close();
                }
            }
        }

        private void carryAll(Socket from, Socket to) throws IOException, InterruptedException {
            byte[] bytes = new byte[1 << 16];
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                awaitTurn();
                Thread.sleep(delay);
                if (isLost) {
                    return;
                }
                out.write(bytes, 0, n);
            }
        }

        private void awaitTurnQuietly() {
            try {
                awaitTurn();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        void lose() {
            isLost = true;
            close(toServer);
        }

        void close() {
            connections.remove(this);
            close(client);
            close(toServer);
        }

        private void close(Socket socket) {
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
        connections.forEach(CarriedConnection::close);
    }
}
