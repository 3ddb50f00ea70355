package lottery.view.winners;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.Outcome;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.StrategyId;
import lottery.stage.OnAir;
import lottery.stage.Script;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;

@OnAir
@DisplayName("The stream of winners")
class WinnersStreamTest {

    private static final int LISTENERS = 2_000;
    private static final int WINS = 100;
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int SILENCE_MAX_MS = 60_000;
    private static final AtomicLong IDS = new AtomicLong(880_000);

    private final Script script;
    private final JdbcClient sql;
    private final int port;

    private final List<StreamReader> clients = new ArrayList<>();
    private ActivityId activity = new ActivityId(1);
    private int draws;

    @Autowired
    WinnersStreamTest(Script script, JdbcClient sql, @LocalServerPort int port) {
        this.script = script;
        this.sql = sql;
        this.port = port;
    }

    @BeforeEach
    void open() {
        activity = new ActivityId(IDS.incrementAndGet());
        script.created(activity, new StrategyId(activity.value()));
        await().atMost(SOON)
                .until(() -> sql.sql("SELECT EXISTS (SELECT FROM view_activity WHERE activity_id = ?)")
                        .param(activity.value())
                        .query(Boolean.class)
                        .single());
    }

    @AfterEach
    void hangUp() {
        clients.forEach(StreamReader::hangUp);
        // A closed connection is noticed at the latest when something is sent.
        drawn();
        clients.clear();
    }

    @Test
    @DisplayName("The stream tells 2,000 subscribers of each win, once and in order.")
    void everybody() {
        for (int i = 0; i < LISTENERS; i++) {
            clients.add(new StreamReader(Integer.MAX_VALUE));
        }
        listen();

        for (int i = 0; i < WINS; i++) {
            drawn();
        }

        awaitAll();
        assertThat(clients).allSatisfy(client -> assertThat(client.connections).isEqualTo(1));
    }

    @Test
    @DisplayName("The stream does not keep a HEAD request open.")
    void head() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(SILENCE_MAX_MS);
            socket.getOutputStream()
                    .write(
                            "HEAD /api/v1/activities/%d/winners/stream HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                                    .formatted(activity.value())
                                    .getBytes(UTF_8));

            // This reads to the end: the answer to a subscriber has none.
            assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
                    .startsWith("HTTP/1.1 200")
                    .contains("text/event-stream");
        }
    }

    @Test
    @DisplayName("The stream continues after the last event of a subscriber, without gaps and repetitions.")
    void resumed() {
        Random random = new Random(11);
        for (int i = 0; i < 200; i++) {
            clients.add(new StreamReader(1 + random.nextInt(20)));
        }
        listen();

        for (int i = 0; i < WINS; i++) {
            drawn();
            if (i % 10 == 0) {
                int seen = i;
                // They do not come back at the same time: some do while winners are told.
                await().atMost(SOON).until(() -> clients.stream().anyMatch(client -> client.seen.size() >= seen));
            }
        }

        awaitAll();
        assertThat(clients).anySatisfy(client -> assertThat(client.connections).isGreaterThan(5));
    }

    @Test
    @DisplayName("The stream begins with the next winner, or after the position in a parameter.")
    void begin() {
        drawn();
        await().atMost(SOON).until(() -> positions().size() == 1);
        StreamReader fresh = new StreamReader(Integer.MAX_VALUE);
        StreamReader known = new StreamReader(Integer.MAX_VALUE);
        known.stream = "stream?lastEventId=0";
        StreamReader astray = new StreamReader(Integer.MAX_VALUE);
        astray.stream = "stream?lastEventId=elsewhere";
        clients.addAll(List.of(fresh, known, astray));
        listen();

        drawn();

        await().atMost(SOON).until(() -> positions().size() == 2);
        await().atMost(SOON).untilAsserted(() -> {
            assertThat(fresh.seen).containsExactly(positions().getLast());
            assertThat(astray.seen).containsExactly(positions().getLast());
            assertThat(known.seen).containsExactlyElementsOf(positions());
        });
        assertThat(fresh.data)
                .allSatisfy(data -> assertThat(data)
                        .contains(
                                "\"name\":\"u***2\"",
                                "\"title\":\"Car\"",
                                "\"position\":\"" + positions().getLast() + "\""));
    }

    @Test
    @DisplayName("The stream is not held back if a letter of its path is percent-encoded.")
    void encodedPath() {
        StreamReader client = new StreamReader(Integer.MAX_VALUE);
        client.stream = "str%65am";
        clients.add(client);
        listen();

        drawn();

        await().atMost(SOON).until(() -> client.seen.size() == 1);
    }

    @Test
    @DisplayName("The stream sends a sign of life from time to time.")
    void heartbeat() {
        StreamReader client = new StreamReader(Integer.MAX_VALUE);
        clients.add(client);
        listen();

        await().atMost(SOON).until(() -> client.heartbeats > 0);
        assertThat(client.seen).isEmpty();
    }

    private void listen() {
        clients.forEach(client -> Thread.startVirtualThread(client::listen));
        await().atMost(SOON).until(() -> clients.stream().allMatch(client -> client.connections > 0));
    }

    private void awaitAll() {
        await().atMost(SOON).until(() -> positions().size() == WINS);
        List<Long> all = positions();
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(clients)
                        .allSatisfy(client -> assertThat(client.seen).containsExactlyElementsOf(all)));
    }

    private List<Long> positions() {
        return sql
                .sql("SELECT position FROM view_winner WHERE activity_id = ? ORDER BY position")
                .param(activity.value())
                .query(Long.class)
                .list()
                .stream()
                .map(Objects::requireNonNull)
                .toList();
    }

    private void drawn() {
        draws++;
        UserId userId = new UserId("user-2");
        RaffleOrderId order = RaffleRequestIdentity.of(new AccountId(activity, userId), "draw-" + draws)
                .id();
        Prize car = new Prize(102, "Car", AwardType.CREDIT, 1, new BigDecimal("7.50"));
        script.drawn(order, new AccountId(activity, userId), new StrategyId(activity.value()), 1, Outcome.WON, car);
    }

    /** Reads a stream like a browser, and comes back with the last id that it has seen after each so many events. */
    private final class StreamReader {

        private final int eventsPerConnection;
        private final ConcurrentLinkedQueue<Long> seen = new ConcurrentLinkedQueue<>();
        private final ConcurrentLinkedQueue<String> data = new ConcurrentLinkedQueue<>();
        private String stream = "stream";
        private volatile int connections;
        private volatile int heartbeats;
        private volatile boolean over;
        private volatile @Nullable Socket socket;
        private @Nullable Long last;

        StreamReader(int eventsPerConnection) {
            this.eventsPerConnection = eventsPerConnection;
        }

        void listen() {
            while (!over) {
                try (Socket connection = new Socket()) {
                    connection.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), SILENCE_MAX_MS);
                    connection.setSoTimeout(SILENCE_MAX_MS);
                    socket = connection;
                    read(connection);
                } catch (IOException hungUp) {
                    assertThat(hungUp).isNotNull();
                }
            }
        }

        @SuppressWarnings("NonAtomicVolatileUpdate") // One thread writes.
        private void read(Socket connection) throws IOException {
            String path = "/api/v1/activities/" + activity.value() + "/winners/" + stream;
            String resume = last == null ? "" : "Last-Event-ID: " + last + "\r\n";
            connection
                    .getOutputStream()
                    .write(("GET " + path + " HTTP/1.0\r\nAccept: text/event-stream\r\n" + resume + "\r\n")
                            .getBytes(UTF_8));
            BufferedReader lines = new BufferedReader(new InputStreamReader(connection.getInputStream(), UTF_8));
            int events = 0;
            long id = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("retry:")) {
                    connections++;
                } else if (line.startsWith("id: ")) {
                    id = Long.parseLong(line.substring(4));
                } else if (line.startsWith("data: ")) {
                    data.add(line);
                } else if (line.equals(":")) {
                    heartbeats++;
                } else if (line.isEmpty() && id > 0) {
                    seen.add(id);
                    last = id;
                    id = 0;
                    events++;
                    if (events >= eventsPerConnection) {
                        return;
                    }
                }
            }
        }

        void hangUp() {
            over = true;
            Socket open = socket;
            if (open != null) {
                try {
                    open.close();
                } catch (IOException gone) {
                    assertThat(gone).isNotNull();
                }
            }
        }
    }
}
