package lottery.store.processing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import lottery.store.EventTypes;
import lottery.store.NamedEventSerializer;
import lottery.store.Parcel.ParcelMoved;
import lottery.store.TestStore;
import lottery.store.axon.LogTokenStore;
import lottery.store.log.Histories;
import lottery.store.log.LogDivergenceGuard;
import lottery.store.log.Logs;
import lottery.store.token.TokenPositions;
import org.axonframework.common.stream.BlockingStream;
import org.axonframework.common.transaction.Transaction;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.EventTrackerStatus;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventhandling.GenericEventMessage;
import org.axonframework.eventhandling.GenericTrackedDomainEventMessage;
import org.axonframework.eventhandling.GenericTrackedEventMessage;
import org.axonframework.eventhandling.GlobalSequenceTrackingToken;
import org.axonframework.eventhandling.PropagatingErrorHandler;
import org.axonframework.eventhandling.Segment;
import org.axonframework.eventhandling.SimpleEventHandlerInvoker;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.eventhandling.tokenstore.UnableToClaimTokenException;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.messaging.StreamableMessageSource;
import org.axonframework.messaging.unitofwork.BatchingUnitOfWork;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.axonframework.monitoring.NoOpMessageMonitor;
import org.axonframework.serialization.Serializer;
import org.axonframework.serialization.SimpleSerializedObject;
import org.axonframework.serialization.UnknownSerializedType;
import org.axonframework.spring.messaging.unitofwork.SpringTransactionManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.PlatformTransactionManager;

@DisplayName("A processor")
@SpringBootTest(classes = TestStore.class)
@ResourceLock(TestStore.DATABASE)
class SegmentWorkerTest {

    private static final Duration HANDLED_MAX = Duration.ofSeconds(20);

    private final EventStore events;
    private final JdbcClient database;
    private final Logs logs;
    private final LogDivergenceGuard divergenceGuard;
    private final TransactionManager transactions;
    private final String name = "worker-" + UUID.randomUUID();
    private final String parcel = "parcel:" + UUID.randomUUID();
    private final Map<String, AtomicInteger> handled = new ConcurrentHashMap<>();

    private BatchConcurrencyLimiter turns = new BatchConcurrencyLimiter();
    private BatchEventProcessor processor;
    private long sequence;

    @Autowired
    SegmentWorkerTest(
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
        this.processor =
                processor(this.transactions, new MoveCounts(), SequencingRule::ofAggregate, Duration.ofSeconds(10));
    }

    @AfterEach
    void stop() {
        processor.shutDown();
    }

    /** Records how often each place was reached, in the transaction and outside of it. */
    class MoveCounts {

        @EventHandler
        void on(ParcelMoved moved) {
            handled.computeIfAbsent(moved.to(), place -> new AtomicInteger()).incrementAndGet();
            database.sql("INSERT INTO arrival (parcel, place) VALUES (?, ?)")
                    .params(moved.parcel(), name + " " + moved.to())
                    .update();
        }
    }

    /** Does what a test tells it to do. */
    record TaskHandler(Consumer<ParcelMoved> task) {

        @EventHandler
        void on(ParcelMoved moved) {
            task.accept(moved);
        }
    }

    @Test
    @DisplayName("handles nothing twice when the answer to its commit is lost")
    void answerLost() {
        AtomicInteger losses = new AtomicInteger(3);
        processor = processor(
                () -> losingAnswers(losses), new MoveCounts(), SequencingRule::ofAggregate, Duration.ofSeconds(10));
        processor.start();
        for (int i = 0; i < 20; i++) {
            move(i, "place " + i);
        }
        await().atMost(HANDLED_MAX).until(() -> rows() >= 20 && losses.get() <= 0);
        move(20, "place 20");
        await().atMost(HANDLED_MAX).until(() -> handled.containsKey("place 20"));
        await().atMost(HANDLED_MAX).until(() -> rows() == 21);
    }

    private Transaction losingAnswers(AtomicInteger losses) {
        Transaction real = transactions.startTransaction();
        return new Transaction() {
            @Override
            public void commit() {
                real.commit();
                if (rows() > 0 && losses.getAndDecrement() > 0) {
                    throw new IllegalStateException("the answer to the commit was lost");
                }
            }

            @Override
            public void rollback() {
                real.rollback();
            }
        };
    }

    @Test
    @DisplayName(
            "writes what the handlers of a batch have gathered for its end, and then the token, in one transaction")
    void oneTransaction() throws Exception {
        List<String> written = new ArrayList<>();
        processor = processor(
                transactions,
                new TaskHandler(moved -> {
                    UnitOfWork<?> batch = CurrentUnitOfWork.get().root();
                    batch.onPrepareCommit(ending -> written.add(moved.to() + " in " + transaction()));
                    batch.onCommit(ending -> written.add(moved.to() + " in " + transaction()));
                }),
                SequencingRule::ofAggregate,
                Duration.ofSeconds(10));
        List<TrackedEventMessage<?>> batch = new ArrayList<>();
        for (long position = 1; position <= 3; position++) {
            batch.add(new GenericTrackedDomainEventMessage<>(
                    new GlobalSequenceTrackingToken(position),
                    new GenericDomainEventMessage<>(
                            "parcel", parcel, position, new ParcelMoved(parcel, "" + position))));
        }
        AtomicReference<String> itself = new AtomicReference<>();
        processor.handle(batch, Segment.ROOT_SEGMENT, (_, _) -> true, _ -> {}, () -> {
            itself.set(" in " + transaction());
            written.add("token" + itself);
        });
        assertThat(written)
                .map(line -> line.replace(itself.get(), ""))
                .containsExactly("1", "2", "3", "3", "2", "1", "token");
    }

    private String transaction() {
        return database.sql("SELECT pg_current_xact_id()::text")
                .query(String.class)
                .single();
    }

    @Test
    @DisplayName("throws what failed when it gets no transaction, so that it counts as an outage")
    void noTransaction() {
        processor = processor(
                () -> {
                    throw new CannotCreateTransactionException("the database is away");
                },
                new MoveCounts(),
                SequencingRule::ofAggregate,
                Duration.ofSeconds(10));
        var event = new GenericDomainEventMessage<>("parcel", parcel, 0, new ParcelMoved(parcel, "Oslo"));
        events.publish(event);
        try (var stream = events.openStream(events.createTailToken())) {
            var first = stream.peek().orElseThrow();
            assertThatThrownBy(() ->
                            processor.handle(List.of(first), Segment.ROOT_SEGMENT, (_, _) -> true, _ -> {}, () -> {}))
                    .isInstanceOf(CannotCreateTransactionException.class)
                    .matches(new FailureClassifier(List.of())::isOutage);
        }
    }

    @Test
    @DisplayName("parks an event whose handler fails with an error, and gives its connection back")
    void errors() {
        processor = processor(
                transactions,
                new TaskHandler(moved -> {
                    if (moved.to().equals("Atlantis")) {
                        throw new StackOverflowError("too deep");
                    }
                    new MoveCounts().on(moved);
                }),
                SequencingRule::ofAggregate,
                Duration.ofSeconds(10));
        processor.start();
        move(0, "Atlantis");
        await().atMost(HANDLED_MAX).until(() -> parked() == 1);
        String other = "parcel:" + UUID.randomUUID();
        events.publish(new GenericDomainEventMessage<>("parcel", other, 0, new ParcelMoved(other, "Oslo")));
        await().atMost(HANDLED_MAX).until(() -> handled.containsKey("Oslo"));
    }

    @Test
    @DisplayName("parks an event even if its sequence cannot be found out")
    void unreadable() {
        processor = processor(
                transactions,
                new TaskHandler(moved -> {
                    throw new IllegalStateException("always, here of " + moved);
                }),
                event -> {
                    throw new IllegalStateException("nobody can read this");
                },
                Duration.ofSeconds(10));
        processor.start();
        move(0, "Oslo");
        await().atMost(HANDLED_MAX).until(() -> parked() == 1);
    }

    @Test
    @DisplayName("stands still while too many sequences have parked events, and goes on when they can be handled")
    void full() {
        AtomicBoolean isBroken = new AtomicBoolean(true);
        processor = processor(
                transactions,
                new TaskHandler(moved -> {
                    if (isBroken.get()) {
                        throw new IllegalStateException("always, here of " + moved);
                    }
                    new MoveCounts().on(moved);
                }),
                SequencingRule::ofAggregate,
                Duration.ofSeconds(10));
        processor.start();
        move(0, "Atlantis");
        await().atMost(HANDLED_MAX).until(() -> parked() == 1);
        database.sql("""
                        INSERT INTO parked_event (processor, position, sequence_id, cause, retry_at)
                        SELECT ?, -number, 'another ' || number, 'x', now() + interval '1 day'
                        FROM generate_series(1, 9999) number""").param(name).update();
        awaitError("events of 10000 sequences are parked");
        move(1, "Aarhus");
        String other = "parcel:" + UUID.randomUUID();
        events.publish(new GenericDomainEventMessage<>("parcel", other, 0, new ParcelMoved(other, "Bergen")));
        awaitError("no more may be");

        isBroken.set(false);
        database.sql("UPDATE parked_event SET retry_at = now() WHERE processor = ? AND position > 0")
                .param(name)
                .update();

        await().atMost(HANDLED_MAX).until(() -> {
            assertThat(causes()).as("of events that have failed").noneMatch(cause -> cause.contains("no more may be"));
            return rows() == 3;
        });
        assertThat(handled.get("Bergen")).hasValue(1);
        assertThat(parked()).isEqualTo(9_999);
        database.sql("DELETE FROM parked_event WHERE processor = ?").param(name).update();
    }

    private void awaitError(String text) {
        await().atMost(HANDLED_MAX)
                .untilAsserted(() -> assertThat(processor.processingStatus().values())
                        .extracting(EventTrackerStatus::getError)
                        .singleElement()
                        .asString()
                        .contains(text));
    }

    @Test
    @DisplayName("waits for a lock of another transaction as long as it takes, and neither parks nor divides its batch")
    void locked() {
        AtomicInteger attempts = new AtomicInteger();
        Set<String> writing = ConcurrentHashMap.newKeySet();
        processor = processor(
                transactions,
                new TaskHandler(moved -> {
                    attempts.incrementAndGet();
                    database.sql("SET LOCAL lock_timeout = '50ms'").update();
                    lock();
                    new MoveCounts().on(moved);
                    writing.add(transaction());
                }),
                SequencingRule::ofAggregate,
                Duration.ofSeconds(10));
        processor.start();
        move(0, "Oslo");
        await().atMost(HANDLED_MAX).until(() -> rows() == 1);
        attempts.set(0);
        writing.clear();
        transactions.executeInTransaction(() -> {
            database.sql("SET LOCAL idle_in_transaction_session_timeout = 0").update();
            lock();
            // In a transaction of their own, which nobody waits for.
            CompletableFuture.runAsync(() -> moveAll(3)).join();
            await().atMost(HANDLED_MAX).until(() -> attempts.get() > 5);
        });
        await().atMost(HANDLED_MAX).until(() -> rows() == 4);
        assertThat(writing).as("the batch stays whole").hasSize(1);
        assertThat(parked()).isZero();
    }

    private void lock() {
        database.sql("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))")
                .param(name)
                .query((row, i) -> i)
                .list();
    }

    @Test
    @DisplayName("goes on after PostgreSQL has ended its transactions, because it did nothing in them for too long")
    void stoodStill() {
        AtomicInteger attempts = new AtomicInteger();
        processor = processor(
                transactions,
                new TaskHandler(moved -> {
                    new MoveCounts().on(moved);
                    if (attempts.incrementAndGet() <= 5) {
                        standStill();
                    }
                }),
                SequencingRule::ofAggregate,
                Duration.ofSeconds(10));
        processor.start();
        move(0, "Oslo");
        await().atMost(HANDLED_MAX).until(() -> rows() == 1);
        assertThat(attempts).hasValue(6);
        assertThat(parked()).isZero();
    }

    /** Does nothing in the transaction of this thread, until the server process has ended that was at its other end. */
    private void standStill() {
        int pid = database.sql("SELECT pg_backend_pid()").query(Integer.class).single();
        database.sql("SET LOCAL idle_in_transaction_session_timeout = '50ms'").update();
        try (ExecutorService another = Executors.newSingleThreadExecutor()) {
            another.submit(() -> await().atMost(HANDLED_MAX)
                            .until(() -> database.sql("SELECT pid FROM pg_stat_activity WHERE pid = ?")
                                    .param(pid)
                                    .query(Integer.class)
                                    .list()
                                    .isEmpty()))
                    .get(2 * HANDLED_MAX.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("keeps its claim while a handler takes longer than a claim lasts")
    void slow() {
        CountDownLatch go = new CountDownLatch(1);
        processor = processor(
                transactions,
                new TaskHandler(moved -> {
                    await().atMost(HANDLED_MAX).until(() -> go.getCount() == 0);
                    new MoveCounts().on(moved);
                }),
                SequencingRule::ofAggregate,
                Duration.ofSeconds(2));
        processor.start();
        move(0, "Oslo");
        LogTokenStore another = new LogTokenStore(logs.home(), divergenceGuard, Duration.ofSeconds(2));
        await().atMost(HANDLED_MAX).until(() -> another.fetchSegments(name).length == 1);
        await().during(Duration.ofSeconds(4))
                .atMost(HANDLED_MAX)
                .until(() -> another.fetchAvailableSegments(name).isEmpty());
        go.countDown();
        await().atMost(HANDLED_MAX).until(() -> rows() == 1);
        assertThat(handled.get("Oslo")).hasValue(1);
    }

    @Test
    @DisplayName("begins no batch after it was stopped while it waited for its turn")
    void stoppedBeforeTurn() throws Exception {
        Duration never = Duration.ofMinutes(5);
        turns = new BatchConcurrencyLimiter(1, 0, never, never);
        processor = processor(transactions, new MoveCounts(), SequencingRule::ofAggregate, Duration.ofSeconds(10));
        CountDownLatch isTaken = new CountDownLatch(1);
        CountDownLatch isFree = new CountDownLatch(1);
        Thread other = Thread.ofVirtual().start(() -> {
            try {
                turns.take(() -> {
                    isTaken.countDown();
                    isFree.await();
                });
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        try {
            assertThat(isTaken.await(10, TimeUnit.SECONDS)).isTrue();
            processor.start();
            move(0, "Oslo");
            await().atMost(HANDLED_MAX).until(this::waitsForTurn);

            CompletableFuture<Void> stop = processor.shutdownAsync();
            isFree.countDown();

            stop.get(20, TimeUnit.SECONDS);
            assertThat(handled).isEmpty();
        } finally {
            isFree.countDown();
            other.join();
        }
    }

    private boolean waitsForTurn() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(entry -> entry.getKey().getName().startsWith(name))
                .flatMap(entry -> Stream.of(entry.getValue()))
                .anyMatch(frame -> frame.getClassName().equals(BatchConcurrencyLimiter.class.getName()));
    }

    @Test
    @DisplayName("handles a batch that is too large in tenths, and not one by one")
    void tooLarge() {
        List<Integer> sizes = new CopyOnWriteArrayList<>();
        processor = processor(
                transactions,
                new TaskHandler(moved -> {
                    UnitOfWork<?> batch = CurrentUnitOfWork.get().root();
                    batch.getOrComputeResource("size", key -> {
                        int size = ((BatchingUnitOfWork<?>) batch).getMessages().size();
                        if (size > 100) {
                            throw new IllegalStateException("that is too much");
                        }
                        batch.afterCommit(_ -> sizes.add(size));
                        return size;
                    });
                    new MoveCounts().on(moved);
                }),
                SequencingRule::ofAggregate,
                Duration.ofSeconds(10));
        processor.start();
        move(0, "Oslo");
        await().atMost(HANDLED_MAX).until(() -> rows() == 1);
        moveAll(500);
        await().atMost(HANDLED_MAX).until(() -> rows() == 501);
        assertThat(sizes).as("batches of 501 events").hasSizeLessThan(60);
        assertThat(parked()).isZero();
    }

    @Test
    @DisplayName("finds the one event of a large batch that fails, and parks no other")
    void oneOfMany() {
        processor = processor(
                transactions,
                new TaskHandler(moved -> {
                    if (moved.to().equals("place 444")) {
                        throw new IllegalStateException("always, here of " + moved);
                    }
                    new MoveCounts().on(moved);
                }),
                event -> event.getIdentifier(),
                Duration.ofSeconds(10));
        processor.start();
        move(0, "Oslo");
        await().atMost(HANDLED_MAX).until(() -> rows() == 1);
        moveAll(500);
        await().atMost(HANDLED_MAX).until(() -> rows() == 500 && parked() == 1);
        assertThat(causes()).singleElement().asString().contains("place 444");
        database.sql("DELETE FROM parked_event WHERE processor = ?").param(name).update();
    }

    @Test
    @DisplayName("handles an event that comes while the event before it fails and is parked")
    void eventBehindFailing() {
        AtomicInteger attempts = new AtomicInteger();
        String other = "parcel:" + UUID.randomUUID();
        processor = processor(
                transactions,
                new TaskHandler(moved -> {
                    if (moved.to().equals("Atlantis")) {
                        if (attempts.incrementAndGet() == 3) {
                            // In a transaction of its own, so that it stays when this one is rolled back.
                            CompletableFuture.runAsync(() -> events.publish(new GenericDomainEventMessage<>(
                                            "parcel", other, 0, new ParcelMoved(other, "Oslo"))))
                                    .join();
                        }
                        throw new IllegalStateException("always, here of " + moved);
                    }
                    new MoveCounts().on(moved);
                }),
                SequencingRule::ofAggregate,
                Duration.ofSeconds(10));
        processor.start();
        move(0, "Atlantis");
        await().atMost(HANDLED_MAX).until(() -> parked() == 1);
        await().atMost(HANDLED_MAX).until(() -> handled.containsKey("Oslo"));
        database.sql("DELETE FROM parked_event WHERE processor = ?").param(name).update();
    }

    @Test
    @DisplayName("gathers after a large batch that had all there was, and neither after a small one nor when behind")
    void gathers() throws Exception {
        BatchGaps batches = new BatchGaps();
        processor = processor(
                transactions, new TaskHandler(batches::add), SequencingRule::ofAggregate, Duration.ofSeconds(10));
        processor.start();
        move(0, "place 0");
        await().atMost(HANDLED_MAX).until(() -> batches.gaps.size() == 1);

        assertThat(gapAfter(120, batches)).isGreaterThanOrEqualTo(Duration.ofMillis(50));
        assertThat(shortestGapAfter(20, batches)).isLessThan(Duration.ofMillis(50));
        assertThat(shortestGapAfter(500, batches)).isLessThan(Duration.ofMillis(50));
    }

    /** Returns how long one more event waits that is there before a batch of that size has ended. */
    private Duration gapAfter(int size, BatchGaps batches) throws InterruptedException {
        int before = batches.gaps.size();
        batches.begun = new CountDownLatch(1);
        batches.hold = new CountDownLatch(1);
        moveAll(size);
        assertThat(batches.begun.await(20, TimeUnit.SECONDS)).isTrue();
        moveAll(1);
        batches.hold.countDown();
        await().atMost(HANDLED_MAX).until(() -> batches.gaps.size() == before + 2);
        return batches.gaps.getLast();
    }

    /** Returns the shortest of several such times; on a busy machine some take longer for other reasons. */
    private Duration shortestGapAfter(int size, BatchGaps batches) throws InterruptedException {
        Duration shortest = Duration.ofDays(1);
        for (int i = 0; i < 10; i++) {
            Duration gap = gapAfter(size, batches);
            shortest = gap.compareTo(shortest) < 0 ? gap : shortest;
        }
        return shortest;
    }

    /** Records the time between each batch and the one before it. */
    private static final class BatchGaps {

        private final List<Duration> gaps = new CopyOnWriteArrayList<>();
        private volatile CountDownLatch begun = new CountDownLatch(0);
        private volatile CountDownLatch hold = new CountDownLatch(0);
        private volatile long endedNanos = System.nanoTime();

        void add(ParcelMoved moved) {
            UnitOfWork<?> batch = CurrentUnitOfWork.get().root();
            batch.getOrComputeResource("gap", key -> {
                Duration gap = Duration.ofNanos(System.nanoTime() - endedNanos);
                batch.afterCommit(ended -> {
                    endedNanos = System.nanoTime();
                    gaps.add(gap);
                });
                begun.countDown();
                return gap;
            });
            try {
                assertThat(hold.await(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(moved.to(), e);
            }
        }
    }

    private void moveAll(int count) {
        List<GenericDomainEventMessage<?>> moves = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sequence++;
            moves.add(new GenericDomainEventMessage<>(
                    "parcel", parcel, sequence, new ParcelMoved(parcel, "place " + sequence)));
        }
        events.publish(moves);
    }

    @Test
    @DisplayName("gives up its segment before an event that only a newer version knows, and handles all before it")
    void unknown() {
        NewerLog log = new NewerLog(events, "Mars");
        processor = processor(log, transactions, new MoveCounts(), SequencingRule::ofAggregate, Duration.ofSeconds(10));
        processor.start();
        move(0, "Oslo");
        move(1, "Mars");
        move(2, "Bergen");
        await().atMost(HANDLED_MAX).until(() -> handled.containsKey("Oslo"));
        await().atMost(HANDLED_MAX).until(() -> owner() == null);
        assertThat(handled).containsOnlyKeys("Oslo");

        // Now this process is of the newer version.
        log.unknown.set("nothing");
        await().atMost(HANDLED_MAX).until(() -> handled.containsKey("Bergen"));
        assertThat(handled.get("Mars")).hasValue(1);
        assertThat(handled.get("Oslo")).hasValue(1);
    }

    private @Nullable String owner() {
        return database.sql("SELECT owner FROM token WHERE processor = ?")
                .param(name)
                .query((row, i) -> Optional.ofNullable(row.getString(1)))
                .single()
                .orElse(null);
    }

    /** The log as a process reads it that does not know the moves to one place. */
    private record NewerLog(EventStore events, AtomicReference<String> unknown)
            implements StreamableMessageSource<TrackedEventMessage<?>> {

        private static final Serializer NOTHING_KNOWN = new NamedEventSerializer(EventTypes.of(Map.of(), _ -> 1));

        NewerLog(EventStore events, String unknown) {
            this(events, new AtomicReference<>(unknown));
        }

        @Override
        public TrackingToken createHeadToken() {
            return events.createHeadToken();
        }

        @Override
        public BlockingStream<TrackedEventMessage<?>> openStream(@Nullable TrackingToken token) {
            BlockingStream<TrackedEventMessage<?>> stream = events.openStream(token);
            return new BlockingStream<>() {
                @Override
                public Optional<TrackedEventMessage<?>> peek() {
                    return stream.peek().map(NewerLog.this::asKnown);
                }

                @Override
                public boolean hasNextAvailable(int timeout, TimeUnit unit) throws InterruptedException {
                    return stream.hasNextAvailable(timeout, unit);
                }

                @Override
                public TrackedEventMessage<?> nextAvailable() throws InterruptedException {
                    return asKnown(stream.nextAvailable());
                }

                @Override
                public void close() {
                    stream.close();
                }
            };
        }

        private TrackedEventMessage<?> asKnown(TrackedEventMessage<?> event) {
            if (!(event.getPayload() instanceof ParcelMoved moved)
                    || !moved.to().equals(unknown.get())) {
                return event;
            }
            return new GenericTrackedEventMessage<>(
                    event.trackingToken(),
                    new GenericEventMessage<>(new UnknownSerializedType(
                            NOTHING_KNOWN,
                            new SimpleSerializedObject<>("{}", String.class, "parcel.teleported", "1"))));
        }
    }

    @Test
    @DisplayName("moves no token in a log that lacks an event which this process knows")
    void goneBack() {
        LogTokenStore tokens = new LogTokenStore(logs.home(), Histories.ofAnotherLog(), Duration.ofSeconds(10));
        String other = "worker-" + UUID.randomUUID();
        tokens.initializeTokenSegments(other, 1, new GlobalSequenceTrackingToken(0));
        assertThat(tokens.fetchToken(other, 0)).isEqualTo(new GlobalSequenceTrackingToken(0));
        assertThatThrownBy(() -> tokens.storeToken(new GlobalSequenceTrackingToken(1), other, 0))
                .isInstanceOf(UnableToClaimTokenException.class);
        assertThat(new LogTokenStore(logs.home(), divergenceGuard, Duration.ZERO).fetchToken(other, 0))
                .isEqualTo(new GlobalSequenceTrackingToken(0));
    }

    private BatchEventProcessor processor(
            TransactionManager with, Object handler, SequencingRule sequences, Duration claimMax) {
        return processor(events, with, handler, sequences, claimMax);
    }

    private BatchEventProcessor processor(
            StreamableMessageSource<TrackedEventMessage<?>> log,
            TransactionManager with,
            Object handler,
            SequencingRule sequences,
            Duration claimMax) {
        return new BatchEventProcessor(
                name,
                List.of(member(name, handler)),
                NoOpMessageMonitor.instance(),
                List.of(new ProcessorDependencies(
                        logs.home(),
                        log,
                        new LogTokenStore(logs.home(), divergenceGuard, claimMax),
                        with,
                        new ParkedEventStore(database),
                        sequences,
                        new FailureClassifier(List.of()),
                        new IdleTransactionFinder(database),
                        new LogPositionAwaiter(events, new TokenPositions(logs.home())),
                        turns,
                        StreamableMessageSource::createHeadToken)));
    }

    private static ProcessorMember member(String name, Object handler) {
        return new ProcessorMember(
                name,
                SimpleEventHandlerInvoker.builder()
                        .eventHandlers(handler)
                        .listenerInvocationErrorHandler(PropagatingErrorHandler.instance())
                        .build(),
                false);
    }

    private void move(long sequence, String to) {
        await().atMost(HANDLED_MAX)
                .until(() -> new LogTokenStore(logs.home(), divergenceGuard, Duration.ofSeconds(10))
                                .fetchSegments(name)
                                .length
                        == 1);
        events.publish(new GenericDomainEventMessage<>("parcel", parcel, sequence, new ParcelMoved(parcel, to)));
    }

    private long rows() {
        return database.sql("SELECT count(*) FROM arrival WHERE place LIKE ?")
                .param(name + " %")
                .query(Long.class)
                .single();
    }

    private List<String> causes() {
        return database.sql("SELECT cause FROM parked_event WHERE processor = ? AND position > 0")
                .param(name)
                .query((row, i) -> row.getString(1))
                .list();
    }

    private long parked() {
        return database.sql("SELECT count(*) FROM parked_event WHERE processor = ?")
                .param(name)
                .query(Long.class)
                .single();
    }
}
