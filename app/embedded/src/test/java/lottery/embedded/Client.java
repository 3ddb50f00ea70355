package lottery.embedded;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/** Talks to the servers as any program would, by their addresses alone. */
record Client(Map<String, String> addresses) {

    String sql(String query) throws SQLException {
        try (Connection connection = DriverManager.getConnection(
                        address("lottery.postgres.url"),
                        address("lottery.postgres.owner"),
                        address("lottery.postgres.owner-password"));
                Statement statement = connection.createStatement()) {
            if (!statement.execute(query)) {
                return "";
            }
            try (ResultSet row = statement.getResultSet()) {
                row.next();
                return row.getString(1);
            }
        }
    }

    /** Returns everything that comes until Redis closes the connection, which QUIT makes it do. */
    String redis(String command) throws IOException {
        URI address = URI.create(address("lottery.redis.url"));
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.ofLiteral(address.getHost()), address.getPort()), 5_000);
            socket.setSoTimeout(5_000);
            socket.getOutputStream().write((command + "\r\nQUIT\r\n").getBytes(US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), US_ASCII);
        }
    }

    int brokers() throws Exception {
        try (Admin admin = admin()) {
            return admin.describeCluster().nodes().get(10, TimeUnit.SECONDS).size();
        }
    }

    void createTopic(String name) throws Exception {
        try (Admin admin = admin()) {
            admin.createTopics(List.of(new NewTopic(name, 1, (short) 1))).all().get(10, TimeUnit.SECONDS);
        }
    }

    Set<String> topics() throws Exception {
        try (Admin admin = admin()) {
            return admin.listTopics().names().get(10, TimeUnit.SECONDS);
        }
    }

    Map<EmbeddedServerKind, Integer> ports() {
        return Map.of(
                EmbeddedServerKind.POSTGRES,
                URI.create(address("lottery.postgres.url").replaceFirst("jdbc:", ""))
                        .getPort(),
                EmbeddedServerKind.REDIS,
                URI.create(address("lottery.redis.url")).getPort(),
                EmbeddedServerKind.KAFKA,
                URI.create("kafka://" + address("lottery.kafka.servers")).getPort());
    }

    private Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", address("lottery.kafka.servers")));
    }

    private String address(String name) {
        return Objects.requireNonNull(addresses.get(name), name);
    }
}
