package lottery.store.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import lottery.store.commit.CommitUnit.CounterChange;
import lottery.store.commit.SeededScheduler.SimulatedActor;
import lottery.store.commit.SimulatedLog.Flaw;
import lottery.store.log.EventRow;
import lottery.store.log.EventRow.StreamPosition;
import lottery.store.log.LogDivergenceGuard.LogEntry;
import lottery.store.log.OutcomeUnknownException;
import lottery.store.log.StoreBusyException;
import lottery.store.log.TailEntry;
import lottery.store.log.TestTail;
import lottery.store.log.TestTail.ReadBatch;
import lottery.store.log.TestTail.SimulatedReads;
import lottery.store.log.TestTail.SteppedFollower;

/**
 * Three processes that write to one log, with the real {@link Committer} and tail, by one of very many schedules.
 * Connections break, statements are executed late, processes die, time leaps, and the log goes back.
 */
final class CommitSimulation {

    private static final int PROCESSES = 3;
    private static final int CLIENTS = 4;
    private static final int UNITS_PER_CLIENT = 3;
    private static final int AGGREGATES = 3;
    private static final int CLAIMS = 2;
    private static final int LIMIT = 3;
    private static final String STOCK = "stock";
    private static final int FATES = 3;
    private static final int TURNS_MAX = 5_000;
    private static final Duration LATE_MAX = Duration.ofSeconds(1);
    private static final Duration LEAP_MAX = Duration.ofSeconds(90);
    private static final byte[] NOTHING = {};

    /** A unit that was handed to a process. */
    private record Sent(CommitUnit unit, SimulatedProcess process) {}

    private final long seed;
    private final SeededScheduler scheduler;
    private final SimulatedLog log;
    private final List<SimulatedProcess> processes = new ArrayList<>();
    private final List<Sent> sent = new ArrayList<>();
    private int clientsAtWork = CLIENTS;
    private boolean over;
    private int ids;

    CommitSimulation(long seed, Flaw flaw) {
        this.seed = seed;
        this.scheduler = new SeededScheduler(new Random(seed));
        this.log = new SimulatedLog(scheduler, flaw);
    }

    /** Runs to the end, and requires all that has to hold whatever happened. */
    void run() {
        try {
            for (int i = 0; i < PROCESSES; i++) {
                processes.add(new SimulatedProcess());
            }
            for (int i = 0; i < CLIENTS; i++) {
                scheduler.start("client", this::write);
            }
            scheduler.start("server", this::executeLate);
            scheduler.start("fate", this::fate);
            scheduler.run(TURNS_MAX);
            requireRightLog();
            requireRightCounter();
            sent.forEach(this::requireRightAnswer);
            processes.forEach(this::requireRightTail);
            sent.forEach(this::requireLossNoticed);
        } catch (Exception | AssertionError e) {
            throw new AssertionError("-Dlog.seed=%d: %s".formatted(seed, e.getMessage()), e);
        }
    }

    /** One process, which may be followed by another one in its place. */
    private final class SimulatedProcess implements SimulatedReads {

        private final TestTail tail = new TestTail(this::end);
        private final SteppedFollower follower = tail.following(this);
        private final Committer committer =
                new Committer(log::connect, scheduler, tail.tail(), tail.divergenceGuard(), CommitterLimits.DEFAULT);
        /** Its cache knows how many events the aggregates have. */
        private final Map<String, Integer> lengths = new HashMap<>();

        private final List<SimulatedActor> actors = new ArrayList<>();
        private boolean ended;

        SimulatedProcess() {
            follower.jumpToNewest();
            actors.add(scheduler.start("committer", this::commit));
            actors.add(scheduler.start("follower", this::follow));
        }

        private LogEntry newestKnown() {
            return tail.divergenceGuard().newest();
        }

        void end() {
            ended = true;
            actors.forEach(SimulatedActor::kill);
        }

        private void commit() throws InterruptedException {
            while (!over) {
                scheduler.await(() -> over || committer.isWaitedFor());
                if (committer.isWaitedFor()) {
                    committer.step();
                }
            }
        }

        private void follow() {
            while (!over) {
                scheduler.await(() -> over || tail.last() < log.head() || !log.has(newestKnown()));
                follower.readsOn();
            }
        }

        @Override
        public long head() {
            return log.head();
        }

        @Override
        public Optional<LogEntry> newest() {
            return log.head() == 0 ? Optional.empty() : Optional.of(log.newest());
        }

        @Override
        public Optional<ReadBatch> after(long position) {
            int from = Math.min((int) position, log.head());
            List<TailEntry> events = new ArrayList<>();
            for (EventRow row : log.rows().subList(from, log.head())) {
                events.add(new TailEntry(from + events.size() + 1, row.id()));
            }
            Optional<ReadBatch> batch =
                    events.isEmpty() ? Optional.empty() : Optional.of(new ReadBatch(events, log.newest()));
            scheduler.turn();
            return batch;
        }

        @Override
        public void awaitStandby() {
            log.awaitStandby(Flaw.NO_STANDBY_WHEN_READ);
        }

        @Override
        public Optional<Long> headWithout(LogEntry known) {
            Optional<Long> head = log.has(known) ? Optional.empty() : Optional.of((long) log.head());
            scheduler.turn();
            return head;
        }
    }

    /** Writes some units, each at any process, and mostly waits for the answer. */
    private void write() {
        try {
            for (int i = 0; i < UNITS_PER_CLIENT; i++) {
                SimulatedProcess process = processes.get(scheduler.any(PROCESSES));
                CommitUnit unit = unit(process);
                sent.add(new Sent(unit, process));
                try {
                    process.committer.accept(unit);
                } catch (StoreBusyException full) {
                    unit.fail(full);
                }
                if (!scheduler.once(3)) {
                    scheduler.await(() -> unit.isAnswered() || process.ended);
                }
                learn(process, unit);
            }
            scheduler.await(() -> sent.stream().allMatch(each -> each.unit().isAnswered() || each.process().ended));
        } finally {
            clientsAtWork--;
            over = clientsAtWork == 0;
        }
    }

    /** Lets the cache of a process learn from an answer, as repositories do. */
    private static void learn(SimulatedProcess process, CommitUnit unit) {
        EventRow last = unit.rows().getLast();
        if (unit.isAnswered() && isStored(unit)) {
            process.lengths.put(last.aggregateId(), last.sequence() + 1);
        } else {
            process.lengths.remove(last.aggregateId());
        }
    }

    private static boolean isStored(CommitUnit unit) {
        try {
            unit.await();
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    private CommitUnit unit(SimulatedProcess process) {
        String aggregate = "aggregate-" + scheduler.any(AGGREGATES);
        int sequence = process.lengths.computeIfAbsent(aggregate, log::length);
        CommitUnit unit = new CommitUnit();
        for (int i = scheduler.any(2); i >= 0; i--) {
            EventRow row = row(aggregate, sequence++);
            unit.add(row, _ -> row.id());
        }
        if (scheduler.once(3)) {
            UniqueKeyClaim claim = new UniqueKeyClaim("scope", "claim-" + scheduler.any(CLAIMS), "holder-" + ids);
            unit.take(claim);
        }
        if (scheduler.once(2)) {
            boolean isReturn = scheduler.once(4) && log.counters().getOrDefault(STOCK, 0L) > 0;
            unit.count(
                    isReturn
                            ? CounterChange.giveBack(STOCK, 1)
                            : new CounterChange(STOCK, scheduler.any(3), LIMIT - scheduler.any(3)));
        }
        return unit;
    }

    private EventRow row(String aggregate, int sequence) {
        return new EventRow(
                aggregate, sequence, "note", new UUID(seed, ++ids), Instant.EPOCH, "note", null, NOTHING, NOTHING);
    }

    private void executeLate() {
        while (!over) {
            scheduler.await(() -> over || log.isUnderWay());
            scheduler.pause(LATE_MAX.dividedBy(1 + scheduler.any(100)));
            if (log.isUnderWay()) {
                log.executeLate();
            }
        }
    }

    /** Brings some fates over processes and the log, and then ends all faults. */
    private void fate() {
        for (int i = scheduler.any(FATES + 1); i > 0; i--) {
            for (int turns = scheduler.any(60); turns > 0 && !over; turns--) {
                scheduler.turn();
            }
            int place = scheduler.any(PROCESSES);
            SimulatedProcess process = processes.get(place);
            switch (scheduler.any(6)) {
                case 0 -> {
                    process.end();
                    processes.set(place, new SimulatedProcess());
                }
                case 1 -> log.goBack(1 + scheduler.any(3));
                case 2 -> log.turnQueue();
                case 3 -> failOver();
                case 4 -> scheduler.leap(LEAP_MAX.dividedBy(1 + scheduler.any(100)));
                default -> process.committer.failOverdueUnits();
            }
        }
        log.calm();
    }

    /**
     * Cuts the standby off, and lets it take over later. It has to have all that was answered or read. Time passes
     * meanwhile, so that committers open new connections.
     */
    private void failOver() {
        log.cutStandbyOff();
        scheduler.pause(LATE_MAX.dividedBy(1 + scheduler.any(100)));
        for (int turns = scheduler.any(60); turns > 0; turns--) {
            scheduler.turn();
        }
        int kept = log.headOfStandby();
        for (SimulatedProcess each : processes) {
            if (!each.ended && log.has(each.newestKnown())) {
                assertThat(each.tail.last())
                        .as("what a process has read or answered, beside what the standby has")
                        .isLessThanOrEqualTo(kept);
            }
        }
        log.failOver();
    }

    private void requireRightLog() {
        Map<String, Integer> lengths = new HashMap<>();
        for (EventRow row : log.rows()) {
            StreamPosition place = row.place();
            assertThat(place.sequence())
                    .as("the next event of %s", place.aggregateId())
                    .isEqualTo(lengths.getOrDefault(place.aggregateId(), 0));
            lengths.put(place.aggregateId(), place.sequence() + 1);
        }
        assertThat(log.rows().stream().map(EventRow::id)).as("each event once").doesNotHaveDuplicates();
    }

    /** Requires that a counter has exactly what the stored units have taken, and never more than its limit. */
    private void requireRightCounter() {
        Set<UUID> stored = log.rows().stream().map(EventRow::id).collect(Collectors.toSet());
        long taken = sent.stream()
                .map(Sent::unit)
                .filter(unit -> stored.contains(unit.rows().getFirst().id()))
                .flatMap(unit -> unit.counted().stream())
                .mapToLong(CounterChange::amount)
                .sum();
        assertThat(log.counters().getOrDefault(STOCK, 0L))
                .as("what is taken")
                .isEqualTo(taken)
                .isLessThanOrEqualTo(LIMIT);
    }

    private void requireRightAnswer(Sent each) {
        List<UUID> ids = each.unit().rows().stream().map(EventRow::id).toList();
        if (!each.unit().isAnswered()) {
            assertThat(each.process().ended).as("a unit without an answer").isTrue();
            return;
        }
        List<UUID> stored = log.rows().stream().map(EventRow::id).toList();
        try {
            int newest = (int) each.unit().await();
            if (ids.stream().noneMatch(log.lost()::contains)) {
                assertThat(stored.subList(newest - ids.size(), newest))
                        .as("what was answered as stored at %d", newest)
                        .isEqualTo(ids);
            }
        } catch (OutcomeUnknownException unknown) {
            // Both may be.
        } catch (StoreBusyException
                | StreamChangedException
                | UniqueKeyTakenException
                | CounterExhaustedException
                | StreamExistsException refused) {
            assertThat(stored).as("what was refused: %s", refused).doesNotContainAnyElementsOf(ids);
        }
    }

    /** Requires that a log with the newest event that a process knows has all that the process has answered. */
    private void requireLossNoticed(Sent each) {
        if (!each.process().ended
                && log.has(each.process().newestKnown())
                && each.unit().isAnswered()
                && isStored(each.unit())) {
            assertThat(log.rows().stream().map(EventRow::id))
                    .as("what a process has answered that has not noticed a loss")
                    .containsAll(each.unit().rows().stream().map(EventRow::id).toList());
        }
    }

    private void requireRightTail(SimulatedProcess process) {
        if (process.ended || !log.has(process.newestKnown())) {
            return; // It has ended, or ends as soon as it looks.
        }
        for (int position = 1; position <= process.tail.last(); position++) {
            Object event = process.tail.at(position);
            if (event != null) {
                assertThat(event)
                        .as("the event at %d in memory", position)
                        .isEqualTo(log.rows().get(position - 1).id());
            }
        }
    }
}
