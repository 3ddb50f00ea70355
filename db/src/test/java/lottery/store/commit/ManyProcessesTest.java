package lottery.store.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("Many processes on one database")
@Tag("trial")
class ManyProcessesTest {

    private static final int WRITERS = 4;
    private static final int READERS = 2;

    /** The length of the test; {@code -Dlog.proof.seconds=60} makes it longer. */
    private static final Duration LENGTH = Duration.ofSeconds(Long.getLong("log.proof.seconds", 15));

    /** The longest time: on a busy machine the test goes on until enough has happened to prove anything. */
    private static final Duration LENGTH_MAX = LENGTH.plus(Duration.ofMinutes(3));

    private static final int ACKNOWLEDGED_MIN = 1_000;

    private static final Duration KILL_PAUSE = Duration.ofMillis(700);
    private static final Duration START_MAX = Duration.ofMinutes(3);

    /** How long readers may take: one that was killed last begins again while all others are on the same cores. */
    private static final Duration CATCH_UP_MAX = Duration.ofMinutes(2);

    /** The limit for half of all events, even on a busy machine; the aim is 50 ms. */
    private static final Duration MEDIAN_MAX = Duration.ofMillis(500);

    private final TestDatabase database;
    private final StoredLog stored;

    ManyProcessesTest() {
        database = TestDatabase.create("processes");
        stored = new StoredLog(database.sql());
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    @DisplayName("that are killed again and again lose nothing that was acknowledged, and write nothing twice; "
            + "readers see each event once, in order")
    void killed() throws Exception {
        long seed = Long.getLong("log.proof.seed", System.nanoTime());
        System.out.println("log.proof.seed=" + seed);
        Random random = new Random(seed);
        List<WritingProcesses> writers = new ArrayList<>();
        List<ReadingProcesses> readers = new ArrayList<>();
        try {
            for (int i = 0; i < WRITERS; i++) {
                writers.add(new WritingProcesses(random.nextLong()));
            }
            for (int i = 0; i < READERS; i++) {
                readers.add(new ReadingProcesses());
            }
            await().atMost(START_MAX)
                    .failFast(() -> writers.forEach(writer -> writer.process.assertRunning()))
                    .until(() -> writers.stream().allMatch(WritingProcesses::hasWritten));
            int kills = killAgainAndAgain(random, writers, readers);
            for (WritingProcesses writer : writers) {
                writer.process.kill();
            }
            awaitQuiet();
            long head = stored.number("SELECT position FROM event_head");
            await().atMost(CATCH_UP_MAX)
                    .failFast(() -> readers.forEach(reader -> reader.process.assertRunning()))
                    .untilAsserted(() -> assertThat(readers)
                            .allSatisfy(reader -> assertThat(reader.position).hasValueGreaterThanOrEqualTo(head)));
            System.out.printf(
                    "%d kills, %d events, %d acknowledged, %d conflicts, %d claims lost, %d times busy%n",
                    kills,
                    head,
                    count(writers, w -> w.stored),
                    count(writers, w -> w.conflicts),
                    count(writers, w -> w.taken),
                    count(writers, w -> w.busy));
            writersWereTold(writers);
            claimsHaveOneHolder();
            stored.isWhole();
            for (ReadingProcesses reader : readers) {
                reader.hasSeenAll();
            }
        } finally {
            for (WritingProcesses writer : writers) {
                writer.process.close();
            }
            for (ReadingProcesses reader : readers) {
                reader.process.close();
            }
        }
    }

    private int killAgainAndAgain(Random random, List<WritingProcesses> writers, List<ReadingProcesses> readers) {
        long end = System.nanoTime() + LENGTH.toNanos();
        List<Integer> kills = new ArrayList<>();
        await().pollDelay(KILL_PAUSE)
                .pollInterval(KILL_PAUSE)
                .atMost(LENGTH_MAX)
                .failFast(() -> {
                    writers.forEach(writer -> writer.process.assertRunning());
                    readers.forEach(reader -> reader.process.assertRunning());
                })
                .until(() -> {
                    // Kills one reader after another, now and then, and one writer after another, all the time.
                    if (random.nextInt(8) == 0) {
                        readers.get(random.nextInt(READERS)).killAndRestart();
                    } else {
                        WritingProcesses next = writers.get(kills.size() % WRITERS);
                        if (next.hasWritten()) {
                            next.killAndRestart(random.nextLong());
                            kills.add(1);
                        }
                    }
                    return System.nanoTime() > end && kills.size() >= WRITERS && enoughHappened(writers);
                });
        return kills.size();
    }

    private static boolean enoughHappened(List<WritingProcesses> writers) {
        return count(writers, writer -> writer.stored) > ACKNOWLEDGED_MIN
                && count(writers, writer -> writer.conflicts) > 0
                && count(writers, writer -> writer.taken) > 0;
    }

    /** Waits until the server no longer works on anything that a dead process has sent. */
    private void awaitQuiet() {
        await().atMost(CATCH_UP_MAX).until(() -> stored.number("""
                        SELECT count(*) FROM pg_stat_activity
                        WHERE datname = current_database() AND state = 'active' AND query LIKE '%log_append%'
                          AND pid <> pg_backend_pid()""") == 0);
    }

    private void writersWereTold(List<WritingProcesses> writers) {
        assertThat(writers).allSatisfy(writer -> assertThat(writer.failures).isEmpty());
        Set<UUID> all = stored.counts().keySet();
        // A single writer may have met no conflict and lost no claim, so all writers are checked together.
        assertThat(all).as("what was acknowledged").containsAll(told(writers, writer -> writer.stored));
        assertThat(all).as("what was refused").doesNotContainAnyElementsOf(told(writers, writer -> writer.conflicts));
        assertThat(all).as("who lost a claim").doesNotContainAnyElementsOf(told(writers, writer -> writer.taken));
        // On a busy machine a unit may wait for too long in the committer's queue.
        assertThat(told(writers, writer -> writer.busy))
                .as("what was refused as busy")
                .doesNotContainAnyElementsOf(all);
    }

    private static List<UUID> told(List<WritingProcesses> writers, Function<WritingProcesses, Queue<UUID>> what) {
        return writers.stream().flatMap(writer -> what.apply(writer).stream()).toList();
    }

    private void claimsHaveOneHolder() {
        assertThat(stored.number("SELECT count(*) FROM claim")).as("claims").isPositive();
        assertThat(stored.number("""
                        SELECT count(*) FROM claim FULL JOIN (SELECT * FROM event WHERE aggregate_id LIKE 'claim of %') AS winner
                        ON winner.event_id::text = claim.holder AND winner.position = claim.position
                        WHERE claim.holder IS NULL OR winner.event_id IS NULL"""))
                .as("claims without their event, or events without their claim")
                .isZero();
    }

    private static long count(List<WritingProcesses> writers, Function<WritingProcesses, Queue<UUID>> told) {
        return told(writers, told).size();
    }

    @Test
    @DisplayName("see each other's events soon after their commit")
    void soon() throws Exception {
        List<Long> tookMicros = new ArrayList<>();
        ReadingProcesses reader = new ReadingProcesses();
        try (TestLog log = TestLog.on(database)) {
            await().atMost(START_MAX)
                    .failFast(() -> reader.process.assertRunning())
                    .until(() -> reader.ready);
            for (int i = 0; i < 300; i++) {
                log.committer.commit(TestLog.unit(TestLog.newId()));
                long committed = ReaderProcess.nowMicros();
                long position = i + 1L;
                await().pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(3))
                        .until(() -> reader.position.get() == position);
                tookMicros.add(reader.seenMicros.get() - committed);
            }
        } finally {
            reader.process.close();
        }
        List<Long> sorted = tookMicros.stream().sorted().toList();
        System.out.printf(
                "from commit to another process: median %.1f ms, 90 %% %.1f ms, 99 %% %.1f ms, max %.1f ms%n",
                sorted.get(150) / 1e3, sorted.get(270) / 1e3, sorted.get(297) / 1e3, sorted.getLast() / 1e3);
        assertThat(sorted.get(150)).isLessThan(MEDIAN_MAX.toNanos() / 1_000);
    }

    /** A series of writing processes, one after another, and the answers that they got. */
    private final class WritingProcesses {

        private final Queue<UUID> stored = new ConcurrentLinkedQueue<>();
        private final Queue<UUID> conflicts = new ConcurrentLinkedQueue<>();
        private final Queue<UUID> taken = new ConcurrentLinkedQueue<>();
        private final Queue<UUID> busy = new ConcurrentLinkedQueue<>();
        private final Queue<String> failures = new ConcurrentLinkedQueue<>();
        private volatile boolean written;
        private ChildProcess process;

        WritingProcesses(long seed) throws IOException {
            process = start(seed);
        }

        private ChildProcess start(long seed) throws IOException {
            return ChildProcess.start(
                    WriterProcess.class, this::report, database.url(), database.user(), Long.toString(seed));
        }

        /** Returns whether it has written since its last start. */
        boolean hasWritten() {
            return written;
        }

        void killAndRestart(long seed) throws IOException, InterruptedException {
            process.kill();
            written = false;
            process = start(seed);
        }

        private void report(String[] words) {
            switch (words[0]) {
                case "stored" -> {
                    stored.add(UUID.fromString(words[1]));
                    written = true;
                }
                case "conflict" -> conflicts.add(UUID.fromString(words[1]));
                case "taken" -> taken.add(UUID.fromString(words[1]));
                case "busy" -> busy.add(UUID.fromString(words[1]));
                case "ready" -> {}
                default -> failures.add(String.join(" ", words));
            }
        }
    }

    /**
     * A series of reading processes, one after another. Each goes on after the last event that the previous one
     * reported.
     */
    private final class ReadingProcesses {

        private final List<UUID> seen = new ArrayList<>();
        private final AtomicLong position = new AtomicLong();
        private final AtomicLong seenMicros = new AtomicLong();
        private volatile @Nullable String disorder;
        private volatile boolean ready;
        private ChildProcess process;

        ReadingProcesses() throws IOException {
            process = start();
        }

        private ChildProcess start() throws IOException {
            return ChildProcess.start(
                    ReaderProcess.class, this::report, database.url(), database.user(), Long.toString(position.get()));
        }

        void killAndRestart() throws IOException, InterruptedException {
            process.kill();
            process = start();
        }

        private void report(String[] words) {
            if (words[0].equals("ready")) {
                ready = true;
                return;
            }
            long next = Long.parseLong(words[1]);
            if (next != position.get() + 1) {
                disorder = "%d after %d".formatted(next, position.get());
            }
            seen.add(UUID.fromString(words[2]));
            seenMicros.set(Long.parseLong(words[3]));
            position.set(next);
        }

        void hasSeenAll() {
            assertThat(disorder).as("a gap, a double or another order").isNull();
            List<@Nullable UUID> all = database.sql()
                    .sql("SELECT event_id FROM event ORDER BY position")
                    .query(UUID.class)
                    .list();
            assertThat(new HashSet<>(seen)).hasSameSizeAs(seen);
            assertThat(seen.equals(all)).as("the same events in the same order").isTrue();
        }
    }
}
