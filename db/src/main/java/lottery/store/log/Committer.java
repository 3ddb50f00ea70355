package lottery.store.log;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import lottery.store.log.CommitConnection.Backend;
import lottery.store.log.LogDivergenceGuard.LogEntry;
import org.axonframework.eventsourcing.eventstore.EventStoreException;
import org.axonframework.modelling.command.ConcurrencyException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes all events of a process, on one thread. While it commits one group of units of work, the next group gathers in
 * the queue. Therefore groups grow with the load, and no unit waits for a timer.
 */
final class Committer implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(Committer.class);

    private static final String UNIQUE_VIOLATION = "23505";
    private static final String LIMIT_EXCEEDED = "54000";
    private static final String NOT_NULL_VIOLATION = "23502";
    private static final String POSITIONS = "event_position";

    /**
     * Classes of SQL states for faulty data: values that PostgreSQL cannot store, broken constraints, and index entries
     * that are too long.
     */
    private static final Set<String> OF_THE_DATA = Set.of("22", "23", "54");

    private static final Duration IDLE_WAIT = Duration.ofMillis(100);
    private static final Duration RECONNECT_PAUSE = Duration.ofMillis(50);
    private static final Duration WATCH_PAUSE = Duration.ofSeconds(1);

    /**
     * The minimum pause between notifications of new events, because each notification costs work in all other
     * processes.
     */
    private static final Duration ANNOUNCEMENT_PAUSE = Duration.ofMillis(5);

    /** The pause after PostgreSQL has refused a notification. */
    private static final Duration UNANNOUNCED_PAUSE = Duration.ofSeconds(1);

    private final CommitConnection.ConnectionSource connections;
    private final CommitterTimeSource clock;
    private final CommitRefusalLog refusals;
    private final LogTail tail;
    private final LogDivergenceGuard divergenceGuard;
    private final CommitterLimits limits;
    private final BlockingQueue<CommitUnit> queue;
    private final Thread thread = Thread.ofPlatform().name("committer").daemon().unstarted(this::run);
    private final Thread watch =
            Thread.ofPlatform().name("committer-watch").daemon().unstarted(this::watch);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Set<CommitUnit> unanswered = ConcurrentHashMap.newKeySet();
    private volatile boolean closing;

    // Only the committer's thread uses the fields below.
    private @Nullable CommitConnection connection;
    private @Nullable Backend unfenced;
    private @Nullable CommitUnit carried;
    private LogEntry continued = LogEntry.NONE;
    private boolean unannounced;
    private long announcedAtNanos;

    Committer(DataSource database, LogTail tail, LogDivergenceGuard divergenceGuard, CommitterLimits limits) {
        this(() -> LogWriter.open(database), CommitterTimeSource.SYSTEM, tail, divergenceGuard, limits);
    }

    Committer(
            CommitConnection.ConnectionSource connections,
            CommitterTimeSource clock,
            LogTail tail,
            LogDivergenceGuard divergenceGuard,
            CommitterLimits limits) {
        this.connections = connections;
        this.clock = clock;
        this.tail = tail;
        this.divergenceGuard = divergenceGuard;
        this.limits = limits;
        this.queue = new ArrayBlockingQueue<>(limits.waitingUnitsMax());
        this.announcedAtNanos = clock.nanos() - ANNOUNCEMENT_PAUSE.toNanos();
        this.refusals = new CommitRefusalLog(clock);
    }

    void start() {
        thread.start();
        watch.start();
    }

    /**
     * Stores a unit and returns the position of its newest event. Throws if the unit is not stored, or if the outcome
     * is unknown.
     */
    long commit(CommitUnit unit) {
        try {
            accept(unit);
            return unit.await();
        } finally {
            unanswered.remove(unit);
        }
    }

    /** Puts a unit into the queue. Throws if the unit will not be committed. */
    void accept(CommitUnit unit) {
        checkSize(unit);
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

    private void checkSize(CommitUnit unit) {
        if (unit.rows().size() > limits.eventsPerUnitMax()) {
            throw new EventStoreException("a unit of work has %d events, and at most %d are allowed"
                    .formatted(unit.rows().size(), limits.eventsPerUnitMax()));
        }
        for (EventRow row : unit.rows()) {
            if (row.bytes() > limits.eventBytesMax()) {
                throw new EventStoreException("an event of %s has %d bytes, and at most %d are allowed"
                        .formatted(row.aggregateId(), row.bytes(), limits.eventBytesMax()));
            }
        }
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
            List<CommitUnit> late = new ArrayList<>();
            if (carried != null) {
                late.add(carried);
            }
            queue.drainTo(late);
            late.forEach(unit -> unit.fail(new StoreBusyException("the store is closed")));
            if (connection != null) {
                connection.giveBack();
            }
        }
    }

    /** Returns whether any unit waits in the queue. */
    boolean isWaitedFor() {
        return carried != null || !queue.isEmpty();
    }

    /** Commits one group, or waits a moment for one. Only the committer's thread may call this. */
    void step() throws InterruptedException {
        List<CommitUnit> group = gather();
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

    /**
     * Takes units from the queue for one group. It stops at the limits of a group, and at the first unit that shares a
     * claim with the group. A unit that closes a series is a group of its own.
     */
    private List<CommitUnit> gather() throws InterruptedException {
        List<CommitUnit> group = new ArrayList<>();
        Set<UniqueKeyClaim.Name> claimed = new HashSet<>();
        int events = 0;
        int bytes = 0;
        boolean closes = false;
        CommitUnit next = carried != null
                ? carried
                : queue.poll(unannounced ? untilAnnouncement() : IDLE_WAIT.toNanos(), TimeUnit.NANOSECONDS);
        carried = null;
        for (; next != null; next = queue.poll()) {
            if (next.waitedNanos(clock.nanos()) > limits.queueWaitMax().toNanos()) {
                next.fail(new StoreBusyException(
                        "the unit of work has waited too long, because PostgreSQL was unavailable or slow"));
                continue;
            }
            events += next.rows().size();
            bytes += next.bytes();
            boolean fits = events <= limits.eventsPerGroupMax()
                    && bytes <= limits.bytesPerGroupMax()
                    && next.closed().isEmpty()
                    && !closes;
            if (!group.isEmpty() && !(fits && Collections.disjoint(claimed, next.claimed()))) {
                carried = next;
                break;
            }
            claimed.addAll(next.claimed());
            closes |= !next.closed().isEmpty();
            group.add(next);
        }
        return group;
    }

    private void commit(List<CommitUnit> group) {
        try {
            OptionalLong base = append(group);
            if (base.isPresent()) {
                publish(group, base.getAsLong());
                succeed(group, base.getAsLong());
            } else {
                dropWithoutPredecessor(group);
            }
        } catch (SQLException refused) {
            divide(group, refused);
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
            disconnect();
            group.forEach(unit -> unit.fail(new OutcomeUnknownException(e)));
        }
    }

    private void publish(List<CommitUnit> group, long base) {
        List<EventRow> rows = new ArrayList<>();
        group.forEach(unit -> rows.addAll(unit.rows()));
        LogEntry newest =
                new LogEntry(base + rows.size(), UUID.fromString(rows.getLast().id()));
        while (!divergenceGuard.reached(continued, newest)) {
            // The follower has meanwhile moved the newest known event. Callers get their answers only when the newest
            // known event is not before the events of this group.
            continued = divergenceGuard.newest();
            requireOneLog(continued, newest);
        }
        tail.append(base, rows);
    }

    /**
     * Makes sure that the follower's newest event and the written event are in the same log. Otherwise this process
     * ends.
     */
    private void requireOneLog(LogEntry known, LogEntry written) {
        long sinceNanos = clock.nanos();
        while (true) {
            try {
                if (isLost(known) || isLost(written)) {
                    throw new OutcomeUnknownException(new IllegalStateException("the log has gone back"));
                }
                return;
            } catch (SQLException e) {
                log.warn("The connection to PostgreSQL broke after a commit: {}. It is opened again.", e.getMessage());
                disconnect();
                if (isOver(sinceNanos, limits.outcomeWaitMax())) {
                    throw new OutcomeUnknownException(e);
                }
                clock.pause(RECONNECT_PAUSE);
            }
        }
    }

    private boolean isLost(LogEntry event) throws SQLException {
        OptionalLong head = connection().headWithout(event);
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

    /**
     * Handles a group of which nothing was written, because the log lacks an event that has to precede it. Units whose
     * predecessor is missing fail, and the other units are written again. If the log lacks the newest event that this
     * process knows, the log has gone back, and this process ends.
     */
    private void dropWithoutPredecessor(List<CommitUnit> group) {
        Map<CommitUnit, RuntimeException> guilty = ask(group, this::withoutPredecessor);
        guilty.forEach(CommitUnit::fail);
        List<CommitUnit> rest = new ArrayList<>(group);
        rest.removeAll(guilty.keySet());
        if (guilty.isEmpty()) {
            // No predecessor is missing. Either it was written meanwhile, or the table event_head is empty.
            StoreBusyException lacking = new StoreBusyException(
                    "an event that must precede these events was missing, or the table event_head is empty");
            group.forEach(unit -> unit.fail(lacking));
        } else {
            commitEach(List.of(rest));
        }
    }

    private Map<CommitUnit, RuntimeException> withoutPredecessor(CommitConnection open, List<CommitUnit> group)
            throws SQLException {
        LogEntry known = divergenceGuard.newest();
        OptionalLong head = open.headWithout(known);
        if (head.isEmpty()) {
            return open.withoutPredecessor(group);
        }
        divergenceGuard.endProcess(known, head.getAsLong());
        StoreBusyException lost = new StoreBusyException("the log has gone back");
        return group.stream().collect(Collectors.toMap(unit -> unit, unit -> lost));
    }

    /**
     * Handles a group that PostgreSQL has refused. If the data of some units are the cause, only these units fail, and
     * the others are written again. If there is another cause, all units fail.
     */
    private void divide(List<CommitUnit> group, SQLException refused) {
        String state = String.valueOf(refused.getSQLState());
        if (!OF_THE_DATA.contains(state.substring(0, 2))) {
            refusals.refused(group.size(), refused);
            group.forEach(unit -> unit.fail(new StoreBusyException("PostgreSQL refused to store events", refused)));
            return;
        }
        Map<CommitUnit, RuntimeException> culprits = switch (state) {
            case UNIQUE_VIOLATION -> ask(group, CommitConnection::culpritsAmong);
            case NOT_NULL_VIOLATION -> ask(group, CommitConnection::ofClosedSeries);
            default -> Map.of();
        };
        culprits.forEach(CommitUnit::fail);
        List<CommitUnit> rest = new ArrayList<>(group);
        rest.removeAll(culprits.keySet());
        if (!culprits.isEmpty()) {
            commitEach(List.of(rest));
        } else if (group.size() > 1) {
            int half = group.size() / 2;
            commitEach(List.of(group.subList(0, half), group.subList(half, group.size())));
        } else if (POSITIONS.equals(constraintOf(refused))) {
            group.getFirst()
                    .fail(new EventStoreException(
                            "the table event_head is behind the table event, and must be repaired", refused));
        } else if (state.equals(UNIQUE_VIOLATION) && group.getFirst().writesAPlaceTwice()) {
            group.getFirst()
                    .fail(new IllegalStateException(
                            "a unit of work has two events of one aggregate with the same sequence number", refused));
        } else if (state.equals(UNIQUE_VIOLATION)) {
            // The claim or event that conflicted with this unit no longer exists.
            group.getFirst()
                    .fail(new ConcurrencyException(
                            "the event or claim that conflicted with this unit of work does not exist any more",
                            refused));
        } else {
            group.getFirst().fail(new EventStoreException("PostgreSQL cannot store this event", refused));
        }
    }

    private static @Nullable String constraintOf(SQLException refused) {
        ServerErrorMessage message = refused instanceof PSQLException server ? server.getServerErrorMessage() : null;
        return message == null ? null : message.getConstraint();
    }

    private void commitEach(List<List<CommitUnit>> groups) {
        for (List<CommitUnit> group : groups) {
            if (!group.isEmpty()) {
                commit(group);
            }
        }
    }

    /** A query for the units that have to fail. */
    private interface FailureQuery {
        Map<CommitUnit, RuntimeException> about(CommitConnection open, List<CommitUnit> group) throws SQLException;
    }

    /**
     * Asks which units of a group have to fail. Nothing of the group is stored, so after a broken connection it just
     * asks again.
     */
    private Map<CommitUnit, RuntimeException> ask(List<CommitUnit> group, FailureQuery query) {
        long sinceNanos = clock.nanos();
        while (true) {
            try {
                return query.about(connection(), group);
            } catch (SQLException e) {
                log.warn(
                        "The connection to PostgreSQL broke while the committer asked why nothing was stored: {}."
                                + " It is opened again.",
                        e.getMessage());
                disconnect();
                if (isOver(sinceNanos, limits.queueWaitMax())) {
                    StoreBusyException away = new StoreBusyException("PostgreSQL is unavailable", e);
                    return group.stream().collect(Collectors.toMap(unit -> unit, unit -> away));
                }
                clock.pause(RECONNECT_PAUSE);
            }
        }
    }

    private boolean isOver(long sinceNanos, Duration max) {
        return clock.nanos() - sinceNanos > max.toNanos();
    }

    /**
     * Writes a group, and opens a new connection whenever the connection breaks. If it breaks during the commit, the
     * outcome is unknown. The committer then makes sure that the old server process has ended, and looks in the log for
     * the group's first event.
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
                CommitConnection open = connection();
                if (lost != null) {
                    OptionalLong position = open.positionOf(group.getFirst().witness());
                    if (position.isPresent()) {
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
                if (sent && isRefusal(e, connection)) {
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
                disconnect();
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
                clock.pause(RECONNECT_PAUSE);
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
                if (!LIMIT_EXCEEDED.equals(e.getSQLState()) || !isRefusal(e, open)) {
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

    /** Returns whether only the statement failed: it was rolled back, and the connection can still be used. */
    private static boolean isRefusal(SQLException e, @Nullable CommitConnection open) {
        // The severity of the error is not used, because the server may report it in any language.
        return e instanceof PSQLException server
                && server.getServerErrorMessage() != null
                && open != null
                && open.isAlive();
    }

    private long untilAnnouncement() {
        return announcedAtNanos + ANNOUNCEMENT_PAUSE.toNanos() - clock.nanos();
    }

    private void announceWhatIsNew() {
        if (unannounced && untilAnnouncement() <= 0) {
            unannounced = false;
            announcedAtNanos = clock.nanos();
            try {
                connection().announce();
            } catch (SQLException e) {
                // No retry is needed: the other processes soon poll for new events anyway.
                log.warn(
                        "Other processes could not be notified of new events: {}. They may see them a second late.",
                        e.getMessage());
                if (!isRefusal(e, connection)) {
                    disconnect();
                }
            }
        }
    }

    private CommitConnection connection() throws SQLException {
        CommitConnection open = connection;
        if (open == null) {
            open = connections.open();
            try {
                if (unfenced != null) {
                    open.fence(unfenced);
                }
            } catch (SQLException e) {
                open.abandon();
                throw e;
            }
            unfenced = null;
            connection = open;
        }
        return open;
    }

    private void disconnect() {
        CommitConnection open = connection;
        if (open != null) {
            unfenced = open.backend();
            connection = null;
            open.abandon();
        }
    }
}
