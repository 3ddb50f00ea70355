package lottery.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;

/**
 * A free port that a server can listen on later, and that nobody else is given until this is closed.
 *
 * <p>A program that asks for any free port gets one of a few thousand, and a server takes seconds until it listens. On
 * Linux, a socket that is bound and does not listen keeps its port from all who ask for any. A server that names the
 * port can still listen on it. On other systems the socket would keep the server away, too. There the port is only
 * known to have been free.
 */
public final class ReservedPort implements AutoCloseable {

    private static final boolean CAN_BE_KEPT = System.getProperty("os.name").equals("Linux");

    private final SocketChannel holder;
    private final int number;

    private ReservedPort(SocketChannel holder, int number) {
        this.holder = holder;
        this.number = number;
    }

    /** Reserves any free port of the loopback address. */
    public static ReservedPort any() throws IOException {
        SocketChannel holder = SocketChannel.open();
        try {
            holder.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            holder.bind(new InetSocketAddress(InetAddress.ofLiteral(ServerPorts.LOOPBACK), 0));
            int number = ((InetSocketAddress) holder.getLocalAddress()).getPort();
            if (!CAN_BE_KEPT) {
                holder.close();
            }
            return new ReservedPort(holder, number);
        } catch (IOException failure) {
            holder.close();
            throw failure;
        }
    }

    public int number() {
        return number;
    }

    @Override
    public void close() {
        try {
            holder.close();
        } catch (IOException ignored) {
            // The reservation ends with the process at the latest.
        }
    }
}
