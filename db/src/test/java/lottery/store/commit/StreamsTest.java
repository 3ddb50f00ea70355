package lottery.store.commit;

import static lottery.store.commit.TestLog.event;
import static lottery.store.commit.TestLog.newId;
import static lottery.store.commit.TestLog.unit;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import lottery.store.axon.TestAdapter;
import lottery.store.log.TestTail;
import org.axonframework.common.stream.BlockingStream;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventhandling.GenericEventMessage;
import org.axonframework.eventhandling.GlobalSequenceTrackingToken;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.serialization.upcasting.event.EventUpcaster;
import org.axonframework.serialization.upcasting.event.IntermediateEventRepresentation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("A stream")
class StreamsTest {

    private static final Duration READ_MAX = Duration.ofSeconds(60);

    private final TestDatabase database;

    StreamsTest() {
        database = TestDatabase.create("streams");
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Nested
    @DisplayName("of a log")
    class Of {

        private final TestLog log = TestLog.on(database);

        @AfterEach
        void close() {
            log.close();
        }

        @Test
        @DisplayName("begins after its token: at the beginning, in the middle, at the head")
        void begins() {
            write(30);
            assertThat(positions(read(log, null, 30))).containsExactlyElementsOf(range(1, 30));
            assertThat(positions(read(log, 12L, 18))).containsExactlyElementsOf(range(13, 30));
            assertThat(positions(read(log, 0L, 30))).containsExactlyElementsOf(range(1, 30));
            BlockingStream<TrackedEventMessage<?>> atHead = log.events.openStream(log.events.createHeadToken());
            assertThat(available(atHead)).isFalse();
            write(1);
            assertThat(available(atHead)).isTrue();
            assertThat(log.events.createTailToken()).isEqualTo(new GlobalSequenceTrackingToken(0));
        }

        @Test
        @DisplayName("gives the same events from memory and from the database")
        void same() {
            write(5);
            log.events.publish(new GenericEventMessage<>(new Noted("of nobody")));
            List<TrackedEventMessage<?>> memory = read(log, null, 6);
            try (TestLog other = TestLog.on(database)) {
                List<TrackedEventMessage<?>> rows = read(other, null, 6);
                assertThat(rows).hasSize(6);
                for (int i = 0; i < 6; i++) {
                    assertThat(describe(rows.get(i))).isEqualTo(describe(memory.get(i)));
                }
            }
        }

        @Test
        @DisplayName("that is further behind than memory goes over from the database without a gap or a double, "
                + "while others write and read")
        void switches() {
            int before = TestTail.CAPACITY + 5_000;
            write(before);
            AtomicBoolean ended = new AtomicBoolean();
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                List<CompletableFuture<Void>> writers = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    writers.add(CompletableFuture.runAsync(
                            () -> {
                                while (!ended.get()) {
                                    log.committer.commit(unit(newId()));
                                }
                            },
                            threads));
                }
                int all = before + 3_000;
                List<CompletableFuture<List<Long>>> readers = new ArrayList<>();
                for (long from : new long[] {0, 0, 7, before - 10, before}) {
                    readers.add(CompletableFuture.supplyAsync(
                            () -> positions(read(log, from, (int) (all - from))), threads));
                }
                List<Long> froms = List.of(0L, 0L, 7L, before - 10L, (long) before);
                try {
                    for (int i = 0; i < readers.size(); i++) {
                        assertThat(readers.get(i)).succeedsWithin(READ_MAX.toSeconds(), TimeUnit.SECONDS);
                        assertThat(readers.get(i).join()).isEqualTo(range(froms.get(i) + 1, all));
                    }
                } finally {
                    ended.set(true);
                }
                writers.forEach(writer -> assertThat(writer).succeedsWithin(10, TimeUnit.SECONDS));
            }
        }

        @Test
        @DisplayName("of a process that writes is in the order of commits, although another process writes in between")
        void twoWriters() {
            int each = 500;
            try (TestLog other = TestLog.on(database);
                    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                List<TestLog> both = List.of(log, other);
                List<CompletableFuture<List<Long>>> readers = new ArrayList<>();
                List<CompletableFuture<Void>> writers = new ArrayList<>();
                for (TestLog one : both) {
                    readers.add(CompletableFuture.supplyAsync(() -> positions(read(one, 0L, 2 * each)), threads));
                    writers.add(CompletableFuture.runAsync(
                            () -> {
                                for (int i = 0; i < each; i++) {
                                    one.committer.commit(unit(newId()));
                                }
                            },
                            threads));
                }
                writers.forEach(writer -> assertThat(writer).succeedsWithin(READ_MAX.toSeconds(), TimeUnit.SECONDS));
                for (CompletableFuture<List<Long>> reader : readers) {
                    assertThat(reader).succeedsWithin(READ_MAX.toSeconds(), TimeUnit.SECONDS);
                    assertThat(reader.join()).isEqualTo(range(1, 2L * each));
                }
            }
        }

        @Test
        @DisplayName("notifies its reader of each arrival, until it is closed")
        void tells() {
            BlockingStream<TrackedEventMessage<?>> stream = log.events.openStream(null);
            List<Long> told = new ArrayList<>();
            assertThat(stream.setOnAvailableCallback(() -> told.add(log.tail.last())))
                    .isTrue();
            write(1);
            assertThat(told).containsExactly(1L);
            stream.close();
            write(1);
            assertThat(told).containsExactly(1L);
        }

        @Test
        @DisplayName("can begin at a time: before all, within, after all, and in spite of a little disorder")
        void times() {
            Instant start = Instant.parse("2030-01-01T00:00:00Z");
            // One event each minute; the third and the fourth have changed places by twenty seconds.
            long[] seconds = {0, 60, 140, 120, 180, 240, 300};
            for (long second : seconds) {
                writeAt(start.plusSeconds(second));
            }
            assertThat(tokenAt(start.minusSeconds(3_600))).isZero();
            assertThat(tokenAt(start)).isZero();
            assertThat(tokenAt(start.plusSeconds(1))).isEqualTo(1);
            assertThat(tokenAt(start.plusSeconds(60))).isEqualTo(1);
            assertThat(tokenAt(start.plusSeconds(61))).isEqualTo(2);
            assertThat(tokenAt(start.plusSeconds(120)))
                    .as("nothing of that time or later is left out")
                    .isEqualTo(2);
            assertThat(tokenAt(start.plusSeconds(141))).isEqualTo(4);
            assertThat(tokenAt(start.plusSeconds(300))).isEqualTo(6);
            assertThat(tokenAt(start.plusSeconds(301))).isEqualTo(7);
        }

        @Test
        @DisplayName("that begins at an event's own time begins with it, however fine its clock is")
        void ownTime() {
            Instant fine = Instant.parse("2030-01-01T00:00:00.123456789Z");
            writeAt(fine.minusSeconds(1));
            writeAt(fine);
            assertThat(tokenAt(fine)).isEqualTo(1);
        }

        @Test
        @DisplayName("of an empty log begins at its only position, whatever the time")
        void empty() {
            assertThat(tokenAt(Instant.parse("2030-01-01T00:00:00Z"))).isZero();
            assertThat(log.events.createHeadToken()).isEqualTo(log.events.createTailToken());
        }

        private long tokenAt(Instant time) {
            return TestAdapter.position(log.events.createTokenAt(time));
        }

        private void writeAt(Instant time) {
            CommitUnit unit = new CommitUnit();
            TestLog.add(new GenericDomainEventMessage<>("note", newId(), 0, event("", 0), () -> time), unit);
            log.committer.commit(unit);
        }

        private void write(int events) {
            for (int left = events; left > 0; left -= 500) {
                CommitUnit unit = new CommitUnit();
                for (int i = 0; i < Math.min(left, 500); i++) {
                    TestLog.add(event(newId(), 0), unit);
                }
                log.committer.commit(unit);
            }
        }
    }

    @Nested
    @DisplayName("whose upcaster")
    class Upcasting {

        @Test
        @DisplayName("drops events neither hangs nor skips the others, from memory and from the database")
        void drops() {
            everyKind(event -> isOdd(event) ? Stream.empty() : Stream.of(event), false);
        }

        @Test
        @DisplayName("makes two events of one gives both, in order")
        void doubles() {
            everyKind(event -> isOdd(event) ? Stream.of(event, event) : Stream.of(event), true);
        }

        /** Reads the events in another process, because the process that wrote them has them as they are now. */
        private void everyKind(
                Function<IntermediateEventRepresentation, Stream<IntermediateEventRepresentation>> change,
                boolean twice) {
            EventUpcaster upcaster = events -> events.flatMap(change);
            List<Long> expected = range(1, 2_100).stream()
                    .flatMap(i -> i % 2 == 0 ? Stream.of(i) : twice ? Stream.of(i, i) : Stream.empty())
                    .toList();
            try (TestLog writing = TestLog.on(database);
                    TestLog reading = TestLog.on(database, upcaster)) {
                BlockingStream<TrackedEventMessage<?>> live = reading.events.openStream(null);
                for (int i = 1; i <= 2_100; i++) {
                    CommitUnit unit = new CommitUnit();
                    TestLog.add(new GenericDomainEventMessage<>("note", "note " + i, 0, new Noted("")), unit);
                    writing.committer.commit(unit);
                }
                // The last event may be dropped: then nothing comes at the end of the stream.
                assertThat(positions(read(live, expected.size()))).isEqualTo(expected);
                assertThat(positions(read(reading, null, expected.size()))).isEqualTo(expected);
                await().until(() -> reading.tail.last() == 2_100);
                assertThat(available(live)).isFalse();
            }
        }

        private static boolean isOdd(IntermediateEventRepresentation event) {
            return event.getTrackingToken().map(TestAdapter::position).orElseThrow() % 2 != 0;
        }
    }

    private static List<Object> describe(TrackedEventMessage<?> event) {
        List<Object> said = new ArrayList<>(List.of(
                event.getIdentifier(),
                event.trackingToken(),
                event.getPayload(),
                event.getMetaData(),
                event.getTimestamp()));
        if (event instanceof DomainEventMessage<?> domain) {
            said.addAll(List.of(domain.getAggregateIdentifier(), domain.getSequenceNumber(), domain.getType()));
        }
        return said;
    }

    private static boolean available(BlockingStream<TrackedEventMessage<?>> stream) {
        try {
            return stream.hasNextAvailable(50, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<TrackedEventMessage<?>> read(TestLog log, @Nullable Long from, int count) {
        return read(log.events.openStream(from == null ? null : new GlobalSequenceTrackingToken(from)), count);
    }

    private static List<TrackedEventMessage<?>> read(BlockingStream<TrackedEventMessage<?>> stream, int count) {
        List<TrackedEventMessage<?>> read = new ArrayList<>();
        try {
            while (read.size() < count && stream.hasNextAvailable((int) READ_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                read.add(stream.nextAvailable());
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return read;
    }

    private static List<Long> positions(List<TrackedEventMessage<?>> events) {
        return events.stream()
                .map(event -> TestAdapter.position(event.trackingToken()))
                .toList();
    }

    private static List<Long> range(long first, long last) {
        return LongStream.rangeClosed(first, last).boxed().toList();
    }
}
