package lottery.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedServersTest {

    @TempDir
    private Path folder;

    @Test
    void allThreeAnswerAndWhatWasWrittenIsThereAfterARestart() throws Exception {
        try (EmbeddedServers servers = EmbeddedServers.start(kept(EnumSet.allOf(EmbeddedServerKind.class)))) {
            Client client = new Client(servers.properties());
            assertThat(client.sql("SHOW fsync")).isEqualTo("on");
            assertThat(client.sql("SHOW synchronous_commit")).isEqualTo("on");
            assertThat(client.sql("SHOW listen_addresses")).isEqualTo("127.0.0.1");
            assertThat(client.sql("SELECT rolsuper FROM pg_roles WHERE rolname = current_user"))
                    .isEqualTo("f");
            assertThat(client.redis("PING")).startsWith("+PONG");
            assertThat(client.redis("CONFIG GET appendonly")).contains("yes");
            assertThat(client.brokers()).isOne();
            write(client);
        }
        assertThat(orphans()).isZero();
        try (EmbeddedServers servers = EmbeddedServers.start(kept(EnumSet.allOf(EmbeddedServerKind.class)))) {
            assertWritten(new Client(servers.properties()));
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void nobodyElseIsGivenTheirPortsWhileTheyStart() throws Exception {
        // At this sign the database is being prepared: it has been told its port and does not listen yet.
        try (Greedy greedy = Greedy.onceThereIs(data().resolve("postgres"));
                EmbeddedServers servers = EmbeddedServers.start(EmbeddedSettings.forTests(data()))) {
            assertThat(greedy.taken()).isEqualTo(Greedy.MANY);
            assertThat(new Client(servers.properties()).sql("SHOW fsync")).isEqualTo("on");
        }
    }

    /** Takes nearly all ports that Linux gives first to programs that ask for any: a quarter of their usual range. */
    private static final class Greedy implements AutoCloseable {

        static final int MANY = 7_000;

        private static final Duration WAIT_MAX = Duration.ofSeconds(60);

        private final List<ServerSocket> others = new ArrayList<>();
        private final FutureTask<Integer> task;
        private final Thread thread;

        private Greedy(Path sign) {
            this.task = new FutureTask<>(() -> take(sign));
            this.thread = Thread.ofPlatform().name("greedy").daemon().unstarted(task);
        }

        static Greedy onceThereIs(Path sign) {
            Greedy greedy = new Greedy(sign);
            greedy.thread.start();
            return greedy;
        }

        private int take(Path sign) throws IOException {
            boolean begun = PollingWait.until(() -> Files.exists(sign), WAIT_MAX);
            while (begun && others.size() < MANY && !Thread.currentThread().isInterrupted()) {
                others.add(new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1")));
            }
            return others.size();
        }

        int taken() throws Exception {
            return task.get(WAIT_MAX.toSeconds(), TimeUnit.SECONDS);
        }

        @Override
        public void close() throws IOException {
            thread.interrupt();
            assertThat(PollingWait.until(() -> !thread.isAlive(), WAIT_MAX)).isTrue();
            for (ServerSocket other : others) {
                other.close();
            }
        }
    }

    @Test
    void whoeverNamesTheSameFolderSharesTheServersUntilTheLastHasClosed() throws Exception {
        EmbeddedSettings redis = EmbeddedSettings.forTests(data(), EmbeddedServerKind.REDIS);
        EmbeddedServers first = EmbeddedServers.start(redis);
        EmbeddedServers second = EmbeddedServers.start(redis);
        assertThat(second.properties()).isEqualTo(first.properties());

        first.close();
        first.close();
        assertThat(new Client(second.properties()).redis("PING")).startsWith("+PONG");

        second.close();
        assertThat(data()).as("nothing is kept").doesNotExist();
    }

    @Test
    void aFolderThatIsNotKeptLosesOnlyWhatTheServersWrote() throws Exception {
        Path foreign = Files.writeString(Files.createDirectories(data()).resolve("notes.txt"), "mine");
        EmbeddedServers.start(EmbeddedSettings.forTests(data(), EmbeddedServerKind.REDIS))
                .close();
        assertThat(data()).isDirectoryNotContaining(path -> !path.equals(foreign));
        assertThat(foreign).hasContent("mine");
    }

    @Nested
    class WhenTheirOwnerIsAnotherProcess {

        @Tag("trial")
        @Test
        void theyAreLeftAloneWhileItLivesAndReplacedWithoutLossAfterItWasKilled() throws Exception {
            Client client;
            try (Child child = Child.start(Owner.class, folder.resolve("errors"), data().toString())) {
                client = new Client(child.addresses());
                write(client);

                assertThatThrownBy(() -> EmbeddedServers.start(kept(EnumSet.allOf(EmbeddedServerKind.class))))
                        .isInstanceOf(EmbeddedServersFailedException.class)
                        .hasMessage(
                                "Another lottery is running on %s (process %d); stop it or set lottery.data to another folder.",
                                data(), child.number());
                assertThat(client.redis("PING")).startsWith("+PONG");

                child.kill();
            }
            assertThat(orphans()).isEqualTo(2);

            EmbeddedSettings samePorts =
                    new EmbeddedSettings(data(), EnumSet.allOf(EmbeddedServerKind.class), client.ports(), true);
            try (EmbeddedServers servers = EmbeddedServers.start(samePorts)) {
                assertThat(servers.properties()).isEqualTo(client.addresses());
                assertWritten(client);
            }
            assertThat(orphans()).isZero();
        }

        @Test
        void aProcessThatGotTheNumberOfAnOldServerIsNotTouched() throws Exception {
            Process other = new ProcessBuilder("sleep", "60").start();
            try {
                Path redis = Files.createDirectories(data().resolve("redis"));
                Files.writeString(redis.resolve("redis.pid"), Long.toString(other.pid()));
                Path postgres = Files.createDirectories(data().resolve("postgres"));
                Files.writeString(postgres.resolve("postmaster.pid"), other.pid() + "\n" + postgres);

                EmbeddedServers.start(kept(Set.of(EmbeddedServerKind.REDIS))).close();

                assertThat(other.waitFor(100, TimeUnit.MILLISECONDS))
                        .as("ended")
                        .isFalse();
            } finally {
                other.destroyForcibly();
            }
        }
    }

    @Nested
    class WhatCannotStartIsRefusedInOneSentence {

        @Test
        void aPortThatIsTaken() throws Exception {
            try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
                EmbeddedSettings settings = new EmbeddedSettings(
                        data(),
                        Set.of(EmbeddedServerKind.POSTGRES),
                        Map.of(EmbeddedServerKind.POSTGRES, taken.getLocalPort()),
                        true);
                assertThatThrownBy(() -> EmbeddedServers.start(settings))
                        .isInstanceOf(EmbeddedServersFailedException.class)
                        .hasMessage(
                                "Port %d, which the embedded PostgreSQL needs, is taken by another program; stop it or set"
                                        + " lottery.embedded.postgres-port (LOTTERY_EMBEDDED_POSTGRES_PORT) to a free port.",
                                taken.getLocalPort());
            }
            EmbeddedServers.start(kept(Set.of(EmbeddedServerKind.REDIS))).close();
        }

        @Test
        void dataOfAnotherPostgres() throws Exception {
            Path postgres = Files.createDirectories(data().resolve("postgres"));
            Files.writeString(postgres.resolve("PG_VERSION"), "17\n");
            assertThatThrownBy(() -> EmbeddedServers.start(kept(Set.of(EmbeddedServerKind.POSTGRES))))
                    .isInstanceOf(EmbeddedServersFailedException.class)
                    .hasMessageContaining("written by another version (PostgreSQL 17, expected 18)");
            assertThat(postgres.resolve("PG_VERSION")).exists();
        }

        @Test
        void dataInAnotherLayout() throws Exception {
            String other = DataFolder.LAYOUT + "0";
            Files.writeString(Files.createDirectories(data()).resolve("version"), other);
            assertThatThrownBy(() -> EmbeddedServers.start(kept(Set.of(EmbeddedServerKind.REDIS))))
                    .isInstanceOf(EmbeddedServersFailedException.class)
                    .hasMessageContaining(
                            "written by another version (layout %s, expected %s)", other, DataFolder.LAYOUT);
        }

        @Test
        void aFolderThatIsAFile() throws Exception {
            Files.writeString(data(), "");
            assertThatThrownBy(() -> EmbeddedServers.start(kept(Set.of(EmbeddedServerKind.REDIS))))
                    .isInstanceOf(EmbeddedServersFailedException.class)
                    .hasMessageContaining("The folder %s cannot be used", data());
        }

        @Test
        void aDiskThatIsFull() {
            try (DataFolder full = DataFolder.own(DataFolder.create(data()))) {
                assertThatThrownBy(() -> full.requireUsable(Long.MAX_VALUE))
                        .isInstanceOf(EmbeddedServersFailedException.class)
                        .hasMessageStartingWith("Only ")
                        .hasMessageEndingWith("free some or set lottery.data to a folder on another disk.");
            }
        }

        @Test
        void aServerThatFailsWithItsOwnComplaint() throws Exception {
            Files.createDirectories(data().resolve("redis/appendonly.aof"));
            assertThatThrownBy(() -> EmbeddedServers.start(kept(Set.of(EmbeddedServerKind.REDIS))))
                    .isInstanceOf(EmbeddedServersFailedException.class)
                    .hasMessageStartingWith("The embedded Redis did not start in %s (Can't open", data())
                    .hasMessageContaining("append-only file");
        }
    }

    /** A program that keeps its servers until it is killed. */
    static final class Owner {

        private Owner() {}

        static void main(String[] arguments) {
            Child.tell(EmbeddedServers.start(kept(Path.of(arguments[0]), EnumSet.allOf(EmbeddedServerKind.class)))
                    .properties());
        }
    }

    private static void write(Client client) throws Exception {
        client.sql("CREATE TABLE draw AS SELECT 42 AS ticket");
        assertThat(client.redis("SET stock 7")).startsWith("+OK");
        client.createTopic("wins");
    }

    private static void assertWritten(Client client) throws Exception {
        assertThat(client.sql("SELECT ticket FROM draw")).isEqualTo("42");
        assertThat(client.redis("GET stock")).startsWith("$1\r\n7");
        assertThat(client.topics()).contains("wins");
    }

    private long orphans() {
        Path postgres = data().resolve("postgres");
        Path redis = data().resolve("redis");
        return ServerProcess.find(postgres.resolve("postmaster.pid"), postgres).stream()
                        .count()
                + ServerProcess.find(redis.resolve("redis.pid"), redis).stream().count();
    }

    private Path data() {
        try {
            return Objects.requireNonNull(folder).toRealPath().resolve("data");
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private EmbeddedSettings kept(Set<EmbeddedServerKind> servers) {
        return kept(data(), servers);
    }

    private static EmbeddedSettings kept(Path data, Set<EmbeddedServerKind> servers) {
        EmbeddedSettings anyPorts = EmbeddedSettings.forTests(data);
        return new EmbeddedSettings(data, servers, anyPorts.ports(), true);
    }
}
