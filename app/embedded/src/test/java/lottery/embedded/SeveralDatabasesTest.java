package lottery.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Several embedded databases")
class SeveralDatabasesTest {

    @TempDir
    private Path folder;

    @Test
    @DisplayName("Two databases take the logs in turns, are the same to their users, and keep their data")
    void twoDatabases() throws Exception {
        Path halfMade = Files.createDirectories(data().resolve("postgres-2/base"));
        Map<String, String> addresses;
        try (EmbeddedServers servers = EmbeddedServers.start(kept(data()).withDatabases(2, 4))) {
            addresses = servers.properties();
            assertThat(addresses)
                    .containsEntry("lottery.logs", "4")
                    .containsEntry("lottery.log.01.url", second(addresses))
                    .containsEntry("lottery.log.03.url", second(addresses))
                    .doesNotContainKeys("lottery.log.00.url", "lottery.log.02.url", "lottery.log.04.url");
            assertThat(second(addresses)).isNotEqualTo(addresses.get("lottery.postgres.url"));
            for (Client client : clients(addresses)) {
                assertThat(client.sql("SHOW fsync")).isEqualTo("on");
                assertThat(client.sql("SHOW synchronous_commit")).isEqualTo("on");
                assertThat(client.sql("SHOW listen_addresses")).isEqualTo("127.0.0.1");
                assertThat(client.sql("SELECT string_agg(rolname, ',' ORDER BY rolname) FROM pg_roles"
                                + " WHERE rolcanlogin AND NOT rolsuper"))
                        .isEqualTo("lottery,lottery_app");
                client.sql("CREATE TABLE place AS SELECT current_setting('port')");
            }
        }
        assertThat(orphans()).isZero();
        assertThat(data().resolve("logs")).isDirectoryContaining("glob:**/postgres-2.log");
        assertThat(halfMade.resolveSibling("lottery.complete")).exists();

        try (EmbeddedServers servers = EmbeddedServers.start(kept(data()).withDatabases(2, 4))) {
            List<Client> clients = clients(servers.properties());
            assertThat(addresses.get("lottery.postgres.url"))
                    .contains(":" + clients.getFirst().sql("TABLE place") + "/");
            assertThat(second(addresses)).contains(":" + clients.getLast().sql("TABLE place") + "/");
        }

        assertThatThrownBy(() -> EmbeddedServers.start(kept(data())))
                .isInstanceOf(EmbeddedServersFailedException.class)
                .hasMessage(
                        "The data in %s lies in 2 databases, and not in 1; set LOTTERY_EMBEDDED_DATABASES to 2, or"
                                + " lottery.data to another folder.",
                        data());
    }

    @Test
    @DisplayName("Databases that outlived a killed process are stopped, even by a start with fewer databases")
    void survivors() throws Exception {
        try (Child child = Child.start(Owner.class, folder.resolve("errors"), data().toString())) {
            child.addresses();
            child.kill();
        }
        assertThat(orphans()).isEqualTo(2);

        assertThatThrownBy(() -> EmbeddedServers.start(kept(data())))
                .isInstanceOf(EmbeddedServersFailedException.class)
                .hasMessageContaining("lies in 2 databases, and not in 1");
        assertThat(orphans()).isZero();

        EmbeddedServers.start(EmbeddedSettings.forTests(data(), EmbeddedServerKind.POSTGRES))
                .close();
        assertThat(data()).as("nothing is kept").doesNotExist();
    }

    @Test
    @DisplayName("A log stays on its database when databases are added")
    void addedDatabase() throws Exception {
        try (EmbeddedServers servers = EmbeddedServers.start(kept(data()))) {
            assertThat(servers.properties()).doesNotContainKey("lottery.logs");
            new Client(servers.properties()).sql("CREATE SCHEMA log_01");
        }

        try (EmbeddedServers servers = EmbeddedServers.start(kept(data()).withDatabases(2, 4))) {
            assertThat(servers.properties()).containsKey("lottery.log.03.url").doesNotContainKey("lottery.log.01.url");
        }

        try (EmbeddedServers servers = EmbeddedServers.start(kept(data()).withDatabases(2, 4, Set.of(1)))) {
            assertThat(servers.properties()).containsKey("lottery.log.03.url").doesNotContainKey("lottery.log.01.url");
        }
    }

    @Test
    @DisplayName("The port of the second database is the next one, and is named if it is taken")
    void nextPort() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            assertRefusedWithFirstPort(
                    taken.getLocalPort() - 1,
                    "Port %d, which the embedded PostgreSQL 2 needs, is taken by another program; stop it or set"
                                    .formatted(taken.getLocalPort())
                            + " lottery.embedded.postgres-port (LOTTERY_EMBEDDED_POSTGRES_PORT) to a free port.");
        }
        assertRefusedWithFirstPort(
                65_535,
                "Port 65536, which the embedded PostgreSQL 2 needs, does not exist; set"
                        + " lottery.embedded.postgres-port (LOTTERY_EMBEDDED_POSTGRES_PORT) to a smaller number.");
    }

    private void assertRefusedWithFirstPort(int port, String sentence) {
        EmbeddedSettings settings = new EmbeddedSettings(
                        data(), Set.of(EmbeddedServerKind.POSTGRES), Map.of(EmbeddedServerKind.POSTGRES, port), true)
                .withDatabases(2, 2);
        assertThatThrownBy(() -> EmbeddedServers.start(settings))
                .isInstanceOf(EmbeddedServersFailedException.class)
                .hasMessage(sentence);
    }

    @Test
    @DisplayName("A second database of another version, or one that fails, is refused with its own reason")
    void refusedSecond() throws Exception {
        Path second = Files.createDirectories(data().resolve("postgres-2"));
        Files.writeString(second.resolve("PG_VERSION"), "17\n");
        EmbeddedSettings settings = kept(data()).withDatabases(2, 2);
        assertThatThrownBy(() -> EmbeddedServers.start(settings))
                .isInstanceOf(EmbeddedServersFailedException.class)
                .hasMessageContaining("written by another version (PostgreSQL 17, expected 18)");

        Files.delete(second.resolve("PG_VERSION"));
        Path notALog = Files.createDirectories(data().resolve("logs/postgres-2.log/folder"));
        assertThatThrownBy(() -> EmbeddedServers.start(settings))
                .isInstanceOf(EmbeddedServersFailedException.class)
                .hasMessageStartingWith(
                        "The embedded PostgreSQL 2 did not start in %s (%s)", data(), notALog.getParent());
        assertThat(orphans()).isZero();
    }

    /** A program that keeps its databases until it is killed. */
    static final class Owner {

        private Owner() {}

        static void main(String[] arguments) {
            Child.tell(EmbeddedServers.start(kept(Path.of(arguments[0])).withDatabases(2, 2))
                    .properties());
        }
    }

    private long orphans() {
        return Stream.of("postgres", "postgres-2")
                .map(data()::resolve)
                .filter(ServerProcess::anyRuns)
                .count();
    }

    private static List<Client> clients(Map<String, String> addresses) {
        Map<String, String> second = new HashMap<>(addresses);
        second.put("lottery.postgres.url", second(addresses));
        return List.of(new Client(addresses), new Client(second));
    }

    private static String second(Map<String, String> addresses) {
        return Objects.requireNonNull(addresses.get("lottery.log.01.url"));
    }

    private Path data() {
        try {
            return Objects.requireNonNull(folder).toRealPath().resolve("data");
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static EmbeddedSettings kept(Path data) {
        EmbeddedSettings anyPorts = EmbeddedSettings.forTests(data, EmbeddedServerKind.POSTGRES);
        return new EmbeddedSettings(data, anyPorts.servers(), anyPorts.ports(), true);
    }
}
