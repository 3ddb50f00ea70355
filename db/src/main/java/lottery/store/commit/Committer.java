package lottery.store.commit;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongFunction;
import lottery.store.log.Log;
import lottery.store.log.LogDivergenceGuard;
import lottery.store.log.LogDivergenceGuard.LogEntry;
import lottery.store.log.LogTail;
import lottery.store.log.LogVersion;
import lottery.store.log.OutcomeUnknownException;
import lottery.store.log.StoreBusyException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes all events of a process, on one thread. While it commits one group of units of work, the next group gathers in
 * the queue. Therefore groups grow with the load, and no unit waits for a timer.
 */
public final class Committer implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Committer.class);

    private static final String LIMIT_EXCEEDED = "54000";

    private static final Duration IDLE_WAIT = Duration.ofMillis(100);
    private static final Duration WATCH_PAUSE = Duration.ofSeconds(1);

    /**
     * The minimum pause between notifications of new events, because each notification costs work in all other
     * processes.
     */
    private static final Duration ANNOUNCEMENT_PAUSE = Duration.ofMillis(5);

    /** The pause after PostgreSQL has refused a notification. */
    private static final Duration UNANNOUNCED_PAUSE = Duration.ofSeconds(1);

    private final FencedConnection connection;
    private final CommitterTimeSource clock;
    private final LogTail tail;
    private final LogDivergenceGuard divergenceGuard;
    private final CommitterLimits limits;
    private final CommitQueue queue;
    private final UnwrittenGroupDivider divider;
    private final Thread thread = Thread.ofPlatform().name("committer").daemon().unstarted(this::run);
    private final Thread watch =
            Thread.ofPlatform().name("committer-watch").daemon().unstarted(this::watch);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Set<CommitUnit> unanswered = ConcurrentHashMap.newKeySet();
    private volatile boolean closing;

    // Only the committer's thread uses the fields below.
    private LogEntry continued = LogEntry.NONE;
    private boolean unannounced;
    private long announcedAtNanos;

    Committer(
            CommitConnection.ConnectionSource connections,
            CommitterTimeSource clock,
            LogTail tail,
            LogDivergenceGuard divergenceGuard,
            CommitterLimits limits) {
        this.connection = new FencedConnection(connections, clock);
        this.clock = clock;
        this.tail = tail;
        this.divergenceGuard = divergenceGuard;
        this.limits = limits;
        this.queue = new CommitQueue(clock, limits);
        this.divider = new UnwrittenGroupDivider(connection, divergenceGuard, limits, new CommitRefusalLog(clock));
        this.announcedAtNanos = clock.nanos() - ANNOUNCEMENT_PAUSE.toNanos();
    }

    /** Returns the committer of a process for a log. */
    public static Committer of(Log written, LogVersion version, LogTail tail, LogDivergenceGuard guard) {
        CommitConnection.ConnectionSource connections =
                () -> LogWriter.open(written.unguardedPool(), version, !written.isHome());
        return new Committer(connections, CommitterTimeSource.SYSTEM, tail, guard, CommitterLimits.DEFAULT);
    }

    public void start() {
        thread.start();
        watch.start();
    }

    /**
     * Stores a unit and returns the position of its newest event. Throws if the unit is not stored, or if the outcome
     * is unknown.
     */
    public long commit(CommitUnit unit) {
        try {
            accept(unit);
            return unit.await();
        } finally {
            unanswered.remove(unit);
        }
    }

    /** Puts a unit into the queue. Throws if the unit will not be committed. */
    void accept(CommitUnit unit) {
        limits.requireAllowed(unit);
        unit.complete(clock.nanos());
        if (closing) {
            throw new StoreBusyException("the store is closing");
        }
        unanswered.add(unit);
        if (!queue.offer(unit)) {
            throw new StoreBusyException("%d units of work wait already".formatted(limits.waitingUnitsMax()));
        }
        if (ended.getCount() == 0 && queue.remove(unit)) {
            throw new StoreBusyException("the store is closed");
        }
    }

    /** Returns how many units wait in the queue. */
    int waiting() {
        return queue.size();
    }

    /** Commits all units that were accepted, then ends. */
    @Override
    public void close() {
        closing = true;
        try {
            if (!ended.await(limits.answerWaitMax().toMillis(), TimeUnit.MILLISECONDS)) {
                log.error(
                        "The committer did not end within {} s: {} units of work still wait."
                                + " Their callers do not know whether they are stored.",
                        limits.answerWaitMax().toSeconds(),
                        queue.size());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!closing || isWaitedFor()) {
                try {
                    step();
                } catch (RuntimeException | Error e) {
                    log.error(
                            "The committer failed unexpectedly. It goes on with the next units of work."
                                    + " If this repeats, restart the process and report the stack trace.",
                            e);
                }
            }
        } catch (InterruptedException e) {
            log.error("The committer was interrupted and ends. This process stores no more events: restart it.", e);
        } finally {
            closing = true;
            ended.countDown();
            queue.drain().forEach(unit -> unit.fail(new StoreBusyException("the store is closed")));
            connection.giveBack();
        }
    }

    /** Returns whether any unit waits in the queue. */
    boolean isWaitedFor() {
        return !queue.isEmpty();
    }

    /** Commits one group, or waits a moment for one. Only the committer's thread may call this. */
    void step() throws InterruptedException {
        List<CommitUnit> group = queue.nextGroup(unannounced ? untilAnnouncement() : IDLE_WAIT.toNanos());
        if (group.isEmpty()) {
            announceWhatIsNew();
        } else {
            commit(group);
        }
    }

    /**
     * Fails units that have waited too long. One thread checks all units, because a timer for each unit would add a
     * fifth to the work of storing the unit. The thread runs as long as any unit waits, even if the committer's thread
     * has ended.
     */
    private void watch() {
        while (ended.getCount() > 0 || !unanswered.isEmpty()) {
            clock.pause(WATCH_PAUSE);
            try {
                failOverdueUnits();
            } catch (RuntimeException | Error e) {
                log.error(
                        "The check for units of work that wait too long failed unexpectedly."
                                + " It is tried again in {} s. Until then their callers wait longer.",
                        WATCH_PAUSE.toSeconds(),
                        e);
            }
        }
    }

    /** Tells each caller that has waited too long that the outcome of its unit is unknown. */
    void failOverdueUnits() {
        long nowNanos = clock.nanos();
        for (CommitUnit unit : unanswered) {
            if (unit.waitedNanos(nowNanos) > limits.answerWaitMax().toNanos()) {
                unit.fail(new OutcomeUnknownException(
                        new TimeoutException("no answer within " + limits.answerWaitMax())));
            }
        }
    }

    private void commit(List<CommitUnit> group) {
        try {
            OptionalLong base = append(group);
            if (base.isPresent()) {
                publish(group, base.getAsLong());
                succeed(group, base.getAsLong());
            } else {
                divider.withoutPredecessor(group).forEach(this::commit);
            }
        } catch (SQLException refused) {
            divider.refused(group, refused).forEach(this::commit);
        } catch (StoreBusyException | OutcomeUnknownException e) {
            log.error("{} units of work failed: {}. Their callers get an error.", group.size(), e.getMessage());
            group.forEach(unit -> unit.fail(e));
        } catch (RuntimeException | Error e) {
            // The committer must continue with other units. It opens a new connection, because the state of this one is
            // unknown.
            log.error(
                    "{} units of work failed unexpectedly, and it is unknown whether they are stored."
                            + " The committer opens a new connection and goes on.",
                    group.size(),
                    e);
            connection.abandon();
            group.forEach(unit -> unit.fail(new OutcomeUnknownException(e)));
        }
    }

    private void publish(List<CommitUnit> group, long base) {
        List<LongFunction<Object>> messages = new ArrayList<>();
        group.forEach(unit -> messages.addAll(unit.messages()));
        LogEntry newest = new LogEntry(
                base + messages.size(), group.getLast().rows().getLast().id());
        while (!divergenceGuard.reached(continued, newest)) {
            // The follower has meanwhile moved the newest known event. Callers get their answers only when the newest
            // known event is not before the events of this group.
            continued = divergenceGuard.newest();
            requireOneLog(continued, newest);
        }
        tail.append(
                base,
                newest.position(),
                position -> messages.get((int) (position - base - 1)).apply(position));
    }

    /**
     * Makes sure that the follower's newest event and the written event are in the same log. Otherwise this process
     * ends.
     */
    private void requireOneLog(LogEntry known, LogEntry written) {
        try {
            if (connection.ask(
                    "after a commit", limits.outcomeWaitMax(), open -> isLost(open, known) || isLost(open, written))) {
                throw new OutcomeUnknownException(new IllegalStateException("the log has gone back"));
            }
        } catch (SQLException e) {
            throw new OutcomeUnknownException(e);
        }
    }

    private boolean isLost(CommitConnection open, LogEntry event) throws SQLException {
        OptionalLong head = open.headWithout(event);
        head.ifPresent(position -> divergenceGuard.endProcess(event, position));
        return head.isPresent();
    }

    private static void succeed(List<CommitUnit> group, long base) {
        long newest = base;
        for (CommitUnit unit : group) {
            newest += unit.rows().size();
            unit.succeed(newest);
        }
    }

    private boolean isOver(long sinceNanos, Duration max) {
        return clock.nanos() - sinceNanos > max.toNanos();
    }

    /**
     * Writes a group, and opens a new connection whenever the connection breaks. If it breaks during the commit, the
     * outcome is unknown. The committer then makes sure that the old server process has ended, and looks in the log for
     * the group's first event. The end of the old server process may have broken off its wait for a standby, so the
     * committer waits for the standby, too.
     *
     * @return the position before the group; empty if nothing is stored, because the log lacks an event that has to
     *     precede the group
     * @throws SQLException if the server has refused the group; nothing is stored then
     */
    private OptionalLong append(List<CommitUnit> group) throws SQLException {
        long begunNanos = clock.nanos();
        long awaySinceNanos = begunNanos;
        SQLException lost = null;
        while (true) {
            boolean sent = false;
            try {
                CommitConnection open = connection.open();
                if (lost != null) {
                    OptionalLong position = open.positionOf(group.getFirst().witness());
                    if (position.isPresent()) {
                        open.awaitStandby();
                        unannounced = true;
                        return OptionalLong.of(position.getAsLong() - 1);
                    }
                    if (isOver(begunNanos, limits.outcomeWaitMax())) {
                        throw new StoreBusyException("the connection to PostgreSQL broke at each attempt", lost);
                    }
                    lost = null;
                }
                sent = true;
                return append(group, open);
            } catch (SQLException e) {
                if (sent && connection.isRefusal(e)) {
                    throw e;
                }
                if (sent) {
                    log.warn(
                            "The connection to PostgreSQL broke during a commit: {}."
                                    + " The committer opens it again, and looks whether the events are stored.",
                            e.getMessage());
                } else {
                    log.warn("The committer has no connection to PostgreSQL: {}. It tries again.", e.getMessage());
                }
                connection.abandon();
                if (sent) {
                    lost = e;
                    awaySinceNanos = clock.nanos();
                }
                Duration waitMax = lost == null ? limits.queueWaitMax() : limits.outcomeWaitMax();
                if (isOver(awaySinceNanos, waitMax)) {
                    throw lost == null
                            ? new StoreBusyException("PostgreSQL is unavailable", e)
                            : new OutcomeUnknownException(lost);
                }
                clock.pause(FencedConnection.RECONNECT_PAUSE);
            }
        }
    }

    private OptionalLong append(List<CommitUnit> group, CommitConnection open) throws SQLException {
        continued = divergenceGuard.newest();
        if (untilAnnouncement() <= 0) {
            try {
                OptionalLong base = open.append(group, continued, true);
                if (base.isPresent()) {
                    unannounced = false;
                    announcedAtNanos = clock.nanos();
                }
                return base;
            } catch (SQLException e) {
                if (!LIMIT_EXCEEDED.equals(e.getSQLState()) || !connection.isRefusal(e)) {
                    throw e;
                }
                // The queue of notifications may be full, because some client listens inside a transaction that does
                // not end. Therefore the group is written again without a notification; other processes find the events
                // by polling. If the group itself is at fault, PostgreSQL refuses it again.
                log.warn(
                        "PostgreSQL could not notify other processes of {} units of work: {}. They may see them a"
                                + " second late. Look for a client that listens in a long transaction.",
                        group.size(),
                        e.getMessage());
                announcedAtNanos = clock.nanos() + UNANNOUNCED_PAUSE.toNanos();
            }
        }
        OptionalLong base = open.append(group, continued, false);
        unannounced |= base.isPresent();
        return base;
    }

    private long untilAnnouncement() {
        return announcedAtNanos + ANNOUNCEMENT_PAUSE.toNanos() - clock.nanos();
    }

    private void announceWhatIsNew() {
        if (unannounced && untilAnnouncement() <= 0) {
            unannounced = false;
            announcedAtNanos = clock.nanos();
            try {
                connection.open().announce();
            } catch (SQLException e) {
                // No retry is needed: the other processes soon poll for new events anyway.
                log.warn(
                        "Other processes could not be notified of new events: {}. They may see them a second late.",
                        e.getMessage());
                if (!connection.isRefusal(e)) {
                    connection.abandon();
                }
            }
        }
    }
}
