package lottery.store.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import lottery.store.Parcel.ParcelMoved;
import lottery.store.TestStore;
import lottery.store.processing.ProcessorPositionAwaiter;
import lottery.store.processing.ProcessorPositionAwaiter.Arrival;
import lottery.store.processing.SharedProcessor;
import org.axonframework.config.EventProcessingConfiguration;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventhandling.StreamingEventProcessor;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("A read model that shares its processor")
@SpringBootTest(classes = TestStore.class, properties = "lottery.data=${lottery.servers:target/servers}-of-members")
@Import({ParcelPlaces.class, ParcelTowns.class, SharedReplayTest.OneProcessor.class})
class SharedReplayTest {

    private static final Duration BUILT_MAX = Duration.ofSeconds(60);
    private static final String SHARED = "parcels";
    private static final String OTHER = "arrivals";
    private static final int PARCELS = 100;

    private static final String FOLD = """
            SELECT aggregate_id AS parcel,
                   (array_agg(payload ->> 'to' ORDER BY sequence DESC))[1] AS place,
                   count(*) AS moves, max(position) AS position
            FROM event_readable WHERE type = 'parcel.moved' GROUP BY aggregate_id ORDER BY aggregate_id""";

    private static final String ROWS =
            "SELECT parcel, place, moves::bigint, position FROM parcel_place ORDER BY parcel";

    private static final String FOLD_OF_TOWNS = """
            SELECT payload ->> 'to' AS place, count(*)::integer AS moves FROM event_readable
            WHERE type = 'parcel.moved' GROUP BY 1 ORDER BY 1""";

    private final EventStore events;
    private final JdbcClient database;
    private final ReplayWorker replays;
    private final ProcessorPositionAwaiter positionAwaiter;
    private final StreamingEventProcessor processor;
    private final String flock = "parcel:" + UUID.randomUUID();
    private int sent;

    @Autowired
    SharedReplayTest(
            EventStore events,
            JdbcClient database,
            ReplayWorker replays,
            ProcessorPositionAwaiter positionAwaiter,
            EventProcessingConfiguration processing) {
        this.events = events;
        this.database = database;
        this.replays = replays;
        this.positionAwaiter = positionAwaiter;
        this.processor = processing
                .<StreamingEventProcessor>eventProcessorByProcessingGroup(ParcelPlaces.PROCESSOR)
                .orElseThrow();
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class OneProcessor {

        @Bean
        SharedProcessor sharedByParcels() {
            return new SharedProcessor(SHARED, Set.of(ParcelPlaces.PROCESSOR, OTHER));
        }
    }

    @BeforeEach
    void start() {
        processor.start();
        send(10);
        awaitHandled(OTHER);
    }

    @AfterEach
    void leaveNothing() {
        processor.start();
        replays.start();
        database.sql("DELETE FROM replay").update();
    }

    @Test
    @DisplayName("has one token with the other one")
    void oneToken() {
        assertThat(processor.getName()).isEqualTo(SHARED);
        assertThat(database.sql("SELECT processor || ' ' || unnest(members) FROM token")
                        .query(String.class)
                        .list())
                .containsExactlyInAnyOrder("parcels arrivals", "parcels places");
        assertThat(positionAwaiter.groups()).containsExactlyInAnyOrder(ParcelPlaces.PROCESSOR, OTHER);
        assertThat(replays.replayable()).containsExactly(ParcelPlaces.PROCESSOR);
    }

    @Test
    @DisplayName("is rebuilt while the processor goes on, and the other one is left alone")
    void rebuilt() throws Exception {
        send(3_000);
        awaitHandled(ParcelPlaces.PROCESSOR);
        long table = tableNumber();
        whileEventsCome(() -> {
            assertThat(replays.begin(ParcelPlaces.PROCESSOR)).isTrue();
            await().atMost(BUILT_MAX).until(() -> count("SELECT count(*) FROM replay") == 0);
        });
        assertThat(tableNumber()).isNotEqualTo(table);
        assertAllRowsAreTheFolds();
    }

    @Test
    @DisplayName("is built and joins the processor if the database does not know it yet, while events come")
    void newcomer() throws Exception {
        send(12_000);
        awaitHandled(ParcelPlaces.PROCESSOR);
        isNew();
        processor.start();
        whileEventsCome(this::awaitJoined);
        assertAllRowsAreTheFolds();
        assertThat(count("SELECT count(*) FROM parked_event")).isZero();
    }

    @Test
    @DisplayName("is built and joins the processor after the process was killed in the middle")
    void killed() {
        send(12_000);
        awaitHandled(ParcelPlaces.PROCESSOR);
        isNew();
        replays.stop();
        processor.start();
        await().atMost(BUILT_MAX).until(() -> count("SELECT count(*) FROM token WHERE newcomers <> '{}'") == 1);
        send(100);
        awaitHandled(OTHER);
        assertThat(count("SELECT count(*) FROM parcel_place")).isZero();

        // Another process has begun to build it, and was killed.
        database.sql("CALL replay_create_table('parcel_place')").update();
        database.sql("CALL replay_create_table('parcel_town')").update();
        database.sql("""
                        INSERT INTO replay (processor, position, owner, claimed_at)
                        VALUES ('places', 0, 'somebody else', now() - interval '11 s')""").update();
        processor.shutDown();
        replays.start();
        processor.start();
        awaitJoined();
        send(100);
        assertAllRowsAreTheFolds();
    }

    @Test
    @DisplayName("is not waited for in vain by a caller that needs the other one, and is not ready before it joins")
    void notReady() throws Exception {
        awaitHandled(ParcelPlaces.PROCESSOR);
        isNew();
        replays.stop();
        processor.start();
        send(10);
        awaitHandled(OTHER);
        assertThat(positionAwaiter.await(Set.of(ParcelPlaces.PROCESSOR), head(), Duration.ofMillis(300)))
                .isEqualTo(Arrival.LATE);
        replays.start();
        awaitJoined();
        awaitHandled(ParcelPlaces.PROCESSOR);
        assertAllRowsAreTheFolds();
    }

    /** Makes the database forget the read model, as if this version were the first to have it. */
    private void isNew() {
        processor.shutDown();
        database.sql("UPDATE token SET members = '{arrivals}'").update();
        database.sql("DELETE FROM parcel_place").update();
        database.sql("DELETE FROM parcel_town").update();
    }

    private void awaitJoined() {
        await().atMost(BUILT_MAX)
                .until(() -> count("SELECT count(*) FROM token WHERE 'places' = ANY (members) AND newcomers = '{}'"
                                + " AND owner IS NOT NULL")
                        == 1);
    }

    private void whileEventsCome(Runnable task) throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        Thread writer = Thread.ofVirtual().start(() -> {
            while (over.getCount() > 0) {
                send(50);
            }
        });
        try {
            task.run();
            TimeUnit.MILLISECONDS.sleep(500);
        } finally {
            over.countDown();
            writer.join(Duration.ofSeconds(20));
        }
    }

    private void assertAllRowsAreTheFolds() {
        awaitHandled(ParcelPlaces.PROCESSOR);
        awaitHandled(OTHER);
        assertThat(database.sql(ROWS).query().listOfRows())
                .isNotEmpty()
                .isEqualTo(database.sql(FOLD).query().listOfRows());
        assertThat(database.sql("SELECT place, moves FROM parcel_town ORDER BY place")
                        .query()
                        .listOfRows())
                .isEqualTo(database.sql(FOLD_OF_TOWNS).query().listOfRows());
        assertThat(count("SELECT count(*) FROM arrival"))
                .isEqualTo(count("SELECT count(*) FROM event WHERE type = 'parcel.moved'"));
    }

    private synchronized void send(int moves) {
        for (int left = moves; left > 0; left -= 500) {
            List<EventMessage<?>> messages = new ArrayList<>();
            for (int i = 0; i < Math.min(left, 500); i++) {
                int number = sent++;
                String parcel = flock + "/" + number % PARCELS;
                messages.add(new GenericDomainEventMessage<>(
                        "parcel", parcel, number / PARCELS, new ParcelMoved(parcel, "place " + number % 700)));
            }
            events.publish(messages);
        }
    }

    private void awaitHandled(String group) {
        try {
            assertThat(positionAwaiter.await(Set.of(group), head(), BUILT_MAX)).isEqualTo(Arrival.REACHED);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private long head() {
        return count("SELECT position FROM event_head");
    }

    private long tableNumber() {
        return count("SELECT to_regclass('parcel_place')::oid::bigint");
    }

    private long count(String sql) {
        return database.sql(sql).query(Long.class).single();
    }
}
