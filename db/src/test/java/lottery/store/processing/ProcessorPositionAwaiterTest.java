package lottery.store.processing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import lottery.store.Parcel.ParcelMoved;
import lottery.store.Parcel.ParcelSent;
import lottery.store.TestStore;
import lottery.store.axon.OpenLogs;
import lottery.store.log.Logs;
import lottery.store.processing.ProcessorPositionAwaiter.Arrival;
import lottery.store.token.TokenPositions;
import org.axonframework.config.EventProcessingConfiguration;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventhandling.StreamingEventProcessor;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("A caller that waits for a processor")
@SpringBootTest(classes = TestStore.class)
@ResourceLock(TestStore.DATABASE)
class ProcessorPositionAwaiterTest {

    private static final String PROCESSOR = "arrivals";
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int CROWD = 1_000;

    private final EventStore events;
    private final JdbcClient database;
    private final Logs logs;
    private final LogPositionAwaiter positionAwaiter;
    private final StreamingEventProcessor processor;
    private final String parcel = "parcel:" + UUID.randomUUID();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private int sequence;

    @Autowired
    ProcessorPositionAwaiterTest(
            EventStore events,
            JdbcClient database,
            Logs logs,
            ProcessorPositionAwaiter positionAwaiter,
            OpenLogs open,
            EventProcessingConfiguration processing) {
        this.events = events;
        this.logs = logs;
        this.database = database;
        this.positionAwaiter = positionAwaiter.of(open.home());
        this.processor = processing
                .eventProcessor(PROCESSOR, StreamingEventProcessor.class)
                .orElseThrow();
    }

    @BeforeEach
    void running() throws Exception {
        processor.start();
        assertThat(positionAwaiter.await(Set.of(PROCESSOR), head(), LONG)).isEqualTo(Arrival.REACHED);
    }

    @AfterEach
    void goOn() {
        processor.start();
        threads.shutdownNow();
    }

    @Test
    @DisplayName("finds what was handled when it is told, each time")
    void handled() throws Exception {
        for (int i = 1; i <= 200; i++) {
            move("place " + i);
            assertThat(positionAwaiter.await(Set.of(PROCESSOR), head(), LONG)).isEqualTo(Arrival.REACHED);
            assertThat(database.sql("SELECT count(*) FROM arrival WHERE parcel = ?")
                            .param(parcel)
                            .query(Long.class)
                            .single())
                    .isEqualTo(i);
        }
    }

    @Test
    @DisplayName("is told soon that there is no such position")
    void never() throws Exception {
        assertThat(positionAwaiter.await(Set.of(PROCESSOR), head() + 1_000_000, LONG))
                .isEqualTo(Arrival.NEVER);
        assertThat(positionAwaiter.await(Set.of(PROCESSOR), Long.MAX_VALUE, LONG))
                .isEqualTo(Arrival.NEVER);
    }

    @Nested
    @DisplayName("that stands still")
    class Still {

        @BeforeEach
        void stop() {
            processor.shutDown();
        }

        @Test
        @DisplayName("is told after the time that it does not come")
        void late() throws Exception {
            move("Oslo");
            assertThat(positionAwaiter.await(Set.of(PROCESSOR), head(), Duration.ofMillis(300)))
                    .isEqualTo(Arrival.LATE);
        }

        @Test
        @DisplayName("is woken when it goes on, unless too many wait already")
        void crowd() throws Exception {
            move("Oslo");
            long position = head();
            List<CompletableFuture<Arrival>> waiting = new ArrayList<>();
            for (int i = 0; i < CROWD; i++) {
                waiting.add(waiting(position));
            }
            await().atMost(LONG)
                    .until(() -> positionAwaiter.await(Set.of(PROCESSOR), position, Duration.ofMillis(1))
                            == Arrival.TOO_MANY_WAITING);
            processor.start();
            for (CompletableFuture<Arrival> each : waiting) {
                assertThat(each.get(20, TimeUnit.SECONDS)).isIn(Arrival.REACHED, Arrival.TOO_MANY_WAITING);
            }
            assertThat(positionAwaiter.await(Set.of(PROCESSOR), position, LONG))
                    .as("there is room again")
                    .isEqualTo(Arrival.REACHED);
        }
    }

    @Nested
    @DisplayName("that another process has")
    class Elsewhere {

        @BeforeEach
        void stop() {
            processor.shutDown();
        }

        @Test
        @DisplayName("sees its token move")
        void token() throws Exception {
            move("Oslo");
            long position = head();
            CompletableFuture<Arrival> waiting = waiting(position);
            assertThat(positionAwaiter.await(Set.of(PROCESSOR), position, Duration.ofMillis(200)))
                    .isEqualTo(Arrival.LATE);
            assertThat(waiting).isNotDone();
            moveToken(position);
            assertThat(waiting.get(20, TimeUnit.SECONDS)).isEqualTo(Arrival.REACHED);
        }

        @Test
        @DisplayName("does not wait for its token where nothing is left for it to do")
        void nothingToDo() throws Exception {
            move("Oslo");
            moveToken(head());
            for (int i = 0; i < 3_000; i++) {
                send();
            }
            assertThat(positionAwaiter.await(Set.of(PROCESSOR), head(), LONG)).isEqualTo(Arrival.REACHED);
            long before = head();
            move("Riga");
            send();
            assertThat(positionAwaiter.await(Set.of(PROCESSOR), before, LONG)).isEqualTo(Arrival.REACHED);
            assertThat(positionAwaiter.await(Set.of(PROCESSOR), head(), Duration.ofMillis(200)))
                    .isEqualTo(Arrival.LATE);
        }

        @Test
        @DisplayName("returns after its time, however long the log takes to read, and succeeds when it is read")
        void slowLog() throws Exception {
            move("Oslo");
            moveToken(head());
            send();
            long position = head();
            CountDownLatch readable = new CountDownLatch(1);
            AtomicInteger readers = new AtomicInteger();
            LogPositionAwaiter elsewhere =
                    new LogPositionAwaiter(slow(readable, readers), new TokenPositions(logs.home()));
            elsewhere.knows((BatchEventProcessor) processor);

            long begunNanos = System.nanoTime();
            List<CompletableFuture<Arrival>> waiting = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                waiting.add(waiting(elsewhere, position, Duration.ofMillis(300)));
            }
            for (CompletableFuture<Arrival> each : waiting) {
                assertThat(each.get(5, TimeUnit.SECONDS)).isEqualTo(Arrival.LATE);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - begunNanos)).isLessThan(Duration.ofSeconds(4));
            assertThat(readers).as("one reads for all").hasValue(1);

            CompletableFuture<Arrival> last = waiting(elsewhere, position, LONG);
            readable.countDown();
            assertThat(last.get(20, TimeUnit.SECONDS)).isEqualTo(Arrival.REACHED);
        }

        /** Returns an event store that shows nothing before {@code readable} is released. */
        private EventStore slow(CountDownLatch readable, AtomicInteger readers) {
            return (EventStore) Proxy.newProxyInstance(
                    EventStore.class.getClassLoader(),
                    new Class<?>[] {EventStore.class},
                    (proxy, method, arguments) -> {
                        if (method.getName().equals("openStream")) {
                            readers.incrementAndGet();
                            assertThat(readable.await(LONG.toMillis(), TimeUnit.MILLISECONDS))
                                    .isTrue();
                        }
                        return method.invoke(events, arguments);
                    });
        }

        private void moveToken(long position) {
            database.sql("UPDATE token SET token = to_jsonb(?::bigint) WHERE processor = ?")
                    .params(position, PROCESSOR)
                    .update();
        }
    }

    private CompletableFuture<Arrival> waiting(long position) {
        return waiting(positionAwaiter, position, LONG);
    }

    private CompletableFuture<Arrival> waiting(LogPositionAwaiter who, long position, Duration max) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return who.await(Set.of(PROCESSOR), position, max);
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                threads);
    }

    private void move(String place) {
        events.publish(new GenericDomainEventMessage<>("parcel", parcel, sequence++, new ParcelMoved(parcel, place)));
    }

    /** Publishes an event that the arrivals do not handle. */
    private void send() {
        events.publish(new GenericDomainEventMessage<>("parcel", parcel, sequence++, new ParcelSent(parcel, null)));
    }

    private long head() {
        return database.sql("SELECT position FROM event_head").query(Long.class).single();
    }
}
