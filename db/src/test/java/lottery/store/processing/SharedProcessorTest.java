package lottery.store.processing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import lottery.store.Parcel.ParcelMoved;
import lottery.store.TestStore;
import lottery.store.axon.LogTokenStore;
import lottery.store.log.LogDivergenceGuard;
import lottery.store.log.Logs;
import lottery.store.token.TokenPositions;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventhandling.PropagatingErrorHandler;
import org.axonframework.eventhandling.SimpleEventHandlerInvoker;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.messaging.StreamableMessageSource;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.axonframework.monitoring.NoOpMessageMonitor;
import org.axonframework.spring.messaging.unitofwork.SpringTransactionManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;

@DisplayName("A processor with several members")
@SpringBootTest(classes = TestStore.class)
@ResourceLock(TestStore.DATABASE)
class SharedProcessorTest {

    private static final Duration HANDLED_MAX = Duration.ofSeconds(20);

    private final EventStore events;
    private final JdbcClient database;
    private final Logs logs;
    private final LogDivergenceGuard divergenceGuard;
    private final TransactionManager transactions;
    private final String name = "shared-" + UUID.randomUUID();
    private final String one = name + " one";
    private final String two = name + " two";
    private final List<BatchEventProcessor> processors = new ArrayList<>();
    private final Map<String, Integer> sequences = new ConcurrentHashMap<>();

    @Autowired
    SharedProcessorTest(
            EventStore events,
            JdbcClient database,
            Logs logs,
            LogDivergenceGuard divergenceGuard,
            PlatformTransactionManager transactions) {
        this.events = events;
        this.database = database;
        this.logs = logs;
        this.divergenceGuard = divergenceGuard;
        this.transactions = new SpringTransactionManager(transactions);
    }

    @AfterEach
    void stop() {
        processors.forEach(BatchEventProcessor::shutDown);
        database.sql("DELETE FROM parked_event WHERE processor LIKE ?")
                .param(name + "%")
                .update();
    }

    /** Writes where each parcel was moved, after it has done what a test tells it to do. */
    final class Places {

        private final String member;
        private final Consumer<ParcelMoved> task;

        Places(String member, Consumer<ParcelMoved> task) {
            this.member = member;
            this.task = task;
        }

        @EventHandler
        void on(ParcelMoved moved) {
            task.accept(moved);
            write(member, moved);
        }
    }

    private void write(String member, ParcelMoved moved) {
        database.sql("INSERT INTO arrival (parcel, place) VALUES (?, ?)")
                .params(moved.parcel(), member + " " + moved.to())
                .update();
    }

    @Test
    @DisplayName("writes for all of them, and moves its token, in one transaction")
    void oneTransaction() {
        start(member(one, _ -> {}, false), member(two, _ -> {}, false));
        move("ann", "Oslo");
        awaitPlaces(one, "Oslo");
        awaitPlaces(two, "Oslo");
        assertThat(database.sql("""
                        SELECT count(DISTINCT transaction) FROM arrival
                        WHERE place LIKE ? AND transaction IN (SELECT transaction FROM token_move WHERE processor = ?)""")
                        .params(name + "%", name)
                        .query(Integer.class)
                        .single())
                .isEqualTo(1);
        assertThat(database.sql("SELECT members::text FROM token WHERE processor = ?")
                        .param(name)
                        .query(String.class)
                        .single())
                .contains(one, two);
    }

    @Test
    @DisplayName("parks an event, and the later ones of its sequence, for the member that fails, and no other")
    void parks() {
        AtomicBoolean isBroken = new AtomicBoolean(true);
        start(member(one, failsAt("Atlantis", isBroken), false), member(two, _ -> {}, false));
        move("ann", "Oslo");
        move("ann", "Atlantis");
        move("ann", "Bergen");
        move("bob", "Riga");

        awaitPlaces(two, "Oslo", "Atlantis", "Bergen", "Riga");
        awaitPlaces(one, "Oslo", "Riga");
        assertThat(parked(one))
                .hasSize(2)
                .first()
                .asString()
                .contains("IllegalStateException: nobody can bear Atlantis");
        assertThat(parked(two)).isEmpty();
        assertThat(processors.getFirst().isError()).isTrue();

        isBroken.set(false);
        makeDue();
        awaitPlaces(one, "Oslo", "Riga", "Atlantis", "Bergen");
        assertThat(places(one)).containsSubsequence("Oslo", "Atlantis", "Bergen");
        assertThat(places(two)).hasSize(4);
        await().atMost(HANDLED_MAX).until(() -> !processors.getFirst().isError());
    }

    @Test
    @DisplayName("blames the member whose work fails at the end of the batch, and keeps what the others have written")
    void endOfBatch() {
        start(
                member(one, _ -> {}, false),
                member(
                        two,
                        moved -> {
                            UnitOfWork<?> batch = CurrentUnitOfWork.get().root();
                            batch.onPrepareCommit(_ -> batch.onCommit(_ -> {
                                if (moved.to().equals("Atlantis")) {
                                    database.sql("SELECT 1 / 0")
                                            .query(Integer.class)
                                            .single();
                                }
                            }));
                        },
                        false));
        move("ann", "Oslo");
        move("bob", "Atlantis");
        move("eve", "Riga");

        awaitPlaces(one, "Oslo", "Atlantis", "Riga");
        awaitPlaces(two, "Oslo", "Riga");
        assertThat(parked(two)).singleElement().asString().contains("division by zero");
        assertThat(parked(one)).isEmpty();
    }

    @Test
    @DisplayName("goes on fast while a member fails at every event")
    void broken() {
        start(
                member(one, _ -> {}, false),
                member(
                        two,
                        moved -> {
                            throw new IllegalStateException("nobody can bear " + moved.to());
                        },
                        false));
        move("ann", "Oslo");
        awaitPlaces(one, "Oslo");
        for (int i = 0; i < 5; i++) {
            moveAll(200);
        }
        await().atMost(HANDLED_MAX).until(() -> places(one).size() == 1_001);
        assertThat(places(two)).isEmpty();
        await().atMost(HANDLED_MAX).until(() -> parked(two).size() == 1_001);
        assertThat(database.sql("SELECT count(*) FROM token_move WHERE processor = ?")
                        .param(name)
                        .query(Integer.class)
                        .single())
                .as("batches")
                .isLessThan(100);
    }

    @Test
    @DisplayName("waits with all members while one has an outage, and then loses and repeats nothing")
    void outage() {
        AtomicInteger failures = new AtomicInteger();
        start(
                member(one, _ -> {}, false),
                member(
                        two,
                        moved -> {
                            if (moved.to().equals("Oslo") && failures.incrementAndGet() < 6) {
                                throw new DataAccessResourceFailureException("something is away");
                            }
                        },
                        false));
        move("ann", "Oslo");
        awaitPlaces(one, "Oslo");
        awaitPlaces(two, "Oslo");
        assertThat(failures).hasValue(6);
        assertThat(parked(two)).isEmpty();
    }

    @Test
    @DisplayName("does what its handlers leave for the time after the commit then, once, also for a member that fails")
    void afterCommit() {
        List<String> seen = new CopyOnWriteArrayList<>();
        AtomicBoolean isBroken = new AtomicBoolean(true);
        Consumer<ParcelMoved> fails = failsAt("Atlantis", isBroken);
        start(
                member(one, _ -> {}, false),
                member(
                        two,
                        moved -> {
                            CurrentUnitOfWork.get()
                                    .root()
                                    .afterCommit(_ -> seen.add(moved.to() + " " + isStored(two, moved.to())));
                            fails.accept(moved);
                        },
                        false));
        moveTogether("ann Oslo", "bob Atlantis", "eve Riga");
        awaitPlaces(two, "Oslo", "Riga");
        await().atMost(HANDLED_MAX).untilAsserted(() -> assertThat(seen).containsExactly("Oslo true", "Riga true"));
    }

    /** Returns whether another transaction sees that a parcel was at a place. */
    private boolean isStored(String member, String place) {
        try (var another = Executors.newSingleThreadExecutor()) {
            return another.submit(() -> places(member).contains(place)).get(10, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("gives no event to a new member that can be rebuilt until it has joined, and then each later one")
    void newcomer() throws InterruptedException {
        start(member(one, _ -> {}, true));
        move("ann", "Oslo");
        awaitPlaces(one, "Oslo");
        processors.getFirst().shutDown();

        start(member(one, _ -> {}, true), member(two, _ -> {}, true));
        move("ann", "Riga");
        awaitPlaces(one, "Oslo", "Riga");
        assertThat(newcomers()).contains(two);
        assertThat(places(two)).isEmpty();

        // In the middle of other events, as a replay that has caught up.
        Thread writer = Thread.ofVirtual().start(() -> moveAll(300));
        long joinedAt = transactions.fetchInTransaction(() -> {
            long position = position(" FOR UPDATE");
            database.sql("""
                            UPDATE token SET members = array_append(members, ?), newcomers = '{}', owner = NULL
                            WHERE processor = ?""").params(two, name).update();
            return position;
        });
        writer.join();
        move("ann", "Bergen");
        await().atMost(HANDLED_MAX).until(() -> places(two).contains("Bergen"));
        assertThat(places(two)).hasSize(movesAfter(joinedAt));
        assertThat(places(one)).hasSize(movesAfter(0));
    }

    @Test
    @DisplayName("gives later events to a new member that cannot be rebuilt")
    void newcomerFromNowOn() {
        start(member(one, _ -> {}, true));
        move("ann", "Oslo");
        awaitPlaces(one, "Oslo");
        processors.getFirst().shutDown();

        start(member(one, _ -> {}, true), member(two, _ -> {}, false));
        move("ann", "Riga");
        awaitPlaces(one, "Oslo", "Riga");
        awaitPlaces(two, "Riga");
        assertThat(newcomers()).isEqualTo("{}");
    }

    @Test
    @DisplayName("has a member rebuilt after a process without that member has handled events")
    void anotherVersion() {
        start(member(one, _ -> {}, true), member(two, _ -> {}, true));
        move("ann", "Oslo");
        awaitPlaces(two, "Oslo");
        processors.getFirst().shutDown();

        start(member(one, _ -> {}, true));
        move("ann", "Riga");
        awaitPlaces(one, "Oslo", "Riga");
        processors.getLast().shutDown();

        processors.getFirst().start();
        move("ann", "Bergen");
        awaitPlaces(one, "Oslo", "Riga", "Bergen");
        assertThat(newcomers()).contains(two);
        assertThat(places(two)).containsExactly("Oslo");
    }

    @Test
    @DisplayName("goes on in another process when the first one ends, with the parked events of each member")
    void twoProcesses() {
        AtomicBoolean isBroken = new AtomicBoolean(true);
        start(member(one, failsAt("Atlantis", isBroken), false), member(two, _ -> {}, false));
        move("ann", "Atlantis");
        await().atMost(HANDLED_MAX).until(() -> parked(one).size() == 1);
        start(member(one, failsAt("Atlantis", isBroken), false), member(two, _ -> {}, false));
        processors.getFirst().shutDown();
        move("ann", "Bergen");
        awaitPlaces(two, "Atlantis", "Bergen");
        await().atMost(HANDLED_MAX).until(() -> parked(one).size() == 2);
        isBroken.set(false);
        makeDue();
        awaitPlaces(one, "Atlantis", "Bergen");
        assertThat(places(two)).hasSize(2);
    }

    @Test
    @DisplayName("goes on without a member that has too many parked events, if that member can be rebuilt")
    void full() {
        start(
                member(one, _ -> {}, true),
                member(
                        two,
                        moved -> {
                            throw new IllegalStateException("nobody can bear " + moved.to());
                        },
                        true));
        move("ann", "Oslo");
        await().atMost(HANDLED_MAX).until(() -> parked(two).size() == 1);
        database.sql("""
                        INSERT INTO parked_event (processor, position, sequence_id, cause, retry_at)
                        SELECT ?, -number, 'another ' || number, 'x', now() + interval '1 day' FROM generate_series(1, 9999) number""").param(two).update();
        await().atMost(HANDLED_MAX).until(() -> {
            moveAll(1);
            return newcomers().contains(two);
        });
        moveAll(1);
        await().atMost(HANDLED_MAX).until(() -> places(one).size() == movesAfter(0));
        assertThat(parked(two)).hasSizeBetween(10_000, 10_100);
    }

    private static Consumer<ParcelMoved> failsAt(String place, AtomicBoolean isBroken) {
        return moved -> {
            if (isBroken.get() && moved.to().equals(place)) {
                throw new IllegalStateException("nobody can bear " + place);
            }
        };
    }

    private ProcessorMember member(String member, Consumer<ParcelMoved> task, boolean isRebuilt) {
        return new ProcessorMember(
                member,
                SimpleEventHandlerInvoker.builder()
                        .eventHandlers(new Places(member, task))
                        .listenerInvocationErrorHandler(PropagatingErrorHandler.instance())
                        .build(),
                isRebuilt);
    }

    /** Starts a processor with these members, as another process would. */
    private void start(ProcessorMember... members) {
        BatchEventProcessor processor = new BatchEventProcessor(
                name,
                List.of(members),
                NoOpMessageMonitor.instance(),
                List.of(new ProcessorDependencies(
                        logs.home(),
                        events,
                        new LogTokenStore(logs.home(), divergenceGuard, Duration.ofSeconds(10)),
                        transactions,
                        new ParkedEventStore(database),
                        SequencingRule::ofAggregate,
                        new FailureClassifier(List.of()),
                        new IdleTransactionFinder(database),
                        new LogPositionAwaiter(events, new TokenPositions(logs.home())),
                        new BatchConcurrencyLimiter(),
                        StreamableMessageSource::createHeadToken)));
        processors.add(processor);
        processor.start();
        await().atMost(HANDLED_MAX)
                .until(() -> database.sql("SELECT count(*) FROM token WHERE processor = ? AND members IS NOT NULL")
                                .param(name)
                                .query(Integer.class)
                                .single()
                        == 1);
    }

    private void move(String parcel, String to) {
        moveTogether(parcel + " " + to);
    }

    private void moveTogether(String... moves) {
        events.publish(Stream.of(moves)
                .map(move -> move.split(" ", 2))
                .map(move -> moved(name + "/" + move[0], move[1]))
                .toList());
    }

    private void moveAll(int count) {
        List<GenericDomainEventMessage<?>> moves = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            moves.add(moved(name + "/" + UUID.randomUUID(), "place " + i));
        }
        events.publish(moves);
    }

    private GenericDomainEventMessage<?> moved(String parcel, String to) {
        int sequence = sequences.merge(parcel, 0, (before, _) -> before + 1);
        return new GenericDomainEventMessage<>("parcel", parcel, sequence, new ParcelMoved(parcel, to));
    }

    private int movesAfter(long position) {
        return database.sql("SELECT count(*) FROM event WHERE aggregate_id LIKE ? AND position > ?")
                .params(name + "/%", position)
                .query(Integer.class)
                .single();
    }

    private long position(String locking) {
        return database.sql("SELECT token::bigint FROM token WHERE processor = ?" + locking)
                .param(name)
                .query(Long.class)
                .single();
    }

    private String newcomers() {
        return database.sql("SELECT newcomers::text FROM token WHERE processor = ?")
                .param(name)
                .query(String.class)
                .single();
    }

    private void makeDue() {
        database.sql("UPDATE parked_event SET retry_at = now() WHERE processor LIKE ?")
                .param(name + "%")
                .update();
    }

    private void awaitPlaces(String member, String... expected) {
        await().atMost(HANDLED_MAX)
                .untilAsserted(() -> assertThat(places(member)).containsExactlyInAnyOrder(expected));
    }

    private List<@Nullable String> places(String member) {
        return database.sql("SELECT substr(place, ?) FROM arrival WHERE place LIKE ? ORDER BY transaction")
                .params(member.length() + 2, member + " %")
                .query(String.class)
                .list();
    }

    private List<@Nullable String> parked(String member) {
        return database.sql("SELECT cause FROM parked_event WHERE processor = ? ORDER BY abs(position), position DESC")
                .param(member)
                .query(String.class)
                .list();
    }
}
