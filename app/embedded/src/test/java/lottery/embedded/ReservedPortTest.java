package lottery.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@DisplayName("Reserved port")
@EnabledOnOs(OS.LINUX)
class ReservedPortTest {

    /** Several times as many as the system has to give. */
    private static final int ASKED = 50_000;

    @Test
    @DisplayName("A reserved port is not given to a program that asks for any port")
    void isKept() throws IOException {
        Set<Integer> given = new HashSet<>();
        try (ReservedPort port = ReservedPort.any()) {
            for (int i = 0; i < ASKED; i++) {
                given.add(anyPort());
            }
            assertThat(given).doesNotContain(port.number());
        }
    }

    @Test
    @DisplayName("A server that names a reserved port can listen on it, on one address or on all")
    void isLeftToItsServer() throws IOException {
        for (InetAddress address :
                new InetAddress[] {InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("0.0.0.0")}) {
            try (ReservedPort port = ReservedPort.any();
                    ServerSocket server = new ServerSocket()) {
                server.bind(new InetSocketAddress(address, port.number()));
                try (Socket client = new Socket(InetAddress.ofLiteral("127.0.0.1"), port.number());
                        Socket accepted = server.accept()) {
                    assertThat(accepted.getPort()).isEqualTo(client.getLocalPort());
                }
            }
        }
    }

    private static int anyPort() throws IOException {
        try (ServerSocket server = new ServerSocket(0)) {
            return server.getLocalPort();
        }
    }
}
