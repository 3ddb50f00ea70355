package lottery.store.commit;

import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import lottery.store.commit.CommitUnit.CounterChange;
import lottery.store.log.EventRow;
import lottery.store.log.EventRow.StreamPosition;
import lottery.store.log.LogDivergenceGuard.LogEntry;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;
import org.postgresql.util.ServerErrorMessage;

/**
 * The log as PostgreSQL keeps it, in memory. Its connections break: before a statement, after its commit, or while the
 * statement is still under way and will be executed later.
 */
final class SimulatedLog {

    /** A mistake that a committer or PostgreSQL could make. */
    enum Flaw {
        NONE,
        /** A server process that was lost may still commit later. */
        NO_FENCE,
        /** A group whose outcome is unknown is taken for one that is not stored. */
        NO_WITNESS,
        /** A group is written whether or not the log has what has to be before it. */
        NO_PREDECESSORS,
        /** A committer answers what the standby may lack. */
        NO_STANDBY_WHEN_ANSWERED,
        /** A follower reads what the standby may lack. */
        NO_STANDBY_WHEN_READ,
        /** More may be taken of a limited thing than there is. */
        NO_LIMIT
    }

    private static final int BREAKS_ONCE_IN = 15;
    private static final int FATES = 10;

    /** The state before a commit, for a log that goes back. */
    private record LogSnapshot(int head, Map<UniqueKeyClaim.Name, String> claims, Map<String, Long> counters) {}

    private record Statement(CommitConnection.Backend backend, List<CommitUnit> group, LogEntry known) {}

    private final SeededScheduler scheduler;
    private final Flaw flaw;
    private final List<EventRow> rows = new ArrayList<>();
    private final Map<StreamPosition, Integer> positions = new HashMap<>();
    private Map<UniqueKeyClaim.Name, String> claims = new HashMap<>();
    private Map<String, Long> counters = new HashMap<>();
    private final List<LogSnapshot> commits = new ArrayList<>();
    private int commitsOnStandby;
    private boolean isStandbyAway;
    private final List<Statement> underWay = new ArrayList<>();
    private final Set<Connection> open = new HashSet<>();
    private final Set<UUID> lost = new HashSet<>();
    private boolean isCalm;
    private boolean isQueueFull;
    private int backends;

    SimulatedLog(SeededScheduler scheduler, Flaw flaw) {
        this.scheduler = scheduler;
        this.flaw = flaw;
    }

    List<EventRow> rows() {
        return rows;
    }

    /** Returns the events that the log had before it went back. */
    Set<UUID> lost() {
        return lost;
    }

    int head() {
        return rows.size();
    }

    LogEntry newest() {
        return rows.isEmpty()
                ? LogEntry.NONE
                : new LogEntry(rows.size(), rows.getLast().id());
    }

    int length(String aggregate) {
        int length = 0;
        while (positions.containsKey(new StreamPosition(aggregate, length))) {
            length++;
        }
        return length;
    }

    /** Returns how much is taken of each limited thing. */
    Map<String, Long> counters() {
        return counters;
    }

    boolean has(LogEntry known) {
        return known.position() == 0
                || (known.position() <= rows.size()
                        && rows.get((int) known.position() - 1).id().equals(known.id()));
    }

    /** Ends all faults. */
    void calm() {
        isCalm = true;
    }

    /** Lets the queue of notifications be full from now on, or have room again. */
    void turnQueue() {
        isQueueFull = !isQueueFull;
    }

    boolean isUnderWay() {
        return !underWay.isEmpty();
    }

    /** Executes one of the statements whose clients are gone. */
    void executeLate() {
        Statement late = underWay.remove(scheduler.any(underWay.size()));
        executeUnheard(late.group(), late.known());
    }

    private void executeUnheard(List<CommitUnit> group, LogEntry known) {
        try {
            execute(group, known);
        } catch (SQLException refused) {
            // Nobody hears of it.
        }
    }

    /** Cuts the standby off: from now on it gets no commits, and none is answered. */
    void cutStandbyOff() {
        isStandbyAway = true;
    }

    /** Waits until the standby has all commits, unless this wait is left out. */
    void awaitStandby(Flaw leftOut) {
        if (flaw != leftOut) {
            scheduler.await(() -> !isStandbyAway);
            commitsOnStandby = commits.size();
        }
    }

    /** Returns the position of the newest event that the standby has. */
    int headOfStandby() {
        return commitsOnStandby == commits.size()
                ? head()
                : commits.get(commitsOnStandby).head();
    }

    /** Loses the commits that the standby lacks, and all connections. */
    void failOver() {
        isStandbyAway = false;
        goBack(commits.size() - commitsOnStandby);
    }

    /** Loses its newest commits, and all connections. */
    void goBack(int lostCommits) {
        for (int i = 0; i < lostCommits && !commits.isEmpty(); i++) {
            LogSnapshot before = commits.removeLast();
            while (rows.size() > before.head()) {
                EventRow row = rows.removeLast();
                positions.remove(row.place());
                lost.add(row.id());
            }
            claims = before.claims();
            counters = before.counters();
        }
        commitsOnStandby = Math.min(commitsOnStandby, commits.size());
        underWay.clear();
        open.forEach(connection -> connection.alive = false);
        open.clear();
    }

    CommitConnection connect() throws SQLException {
        scheduler.turn();
        if (breaks()) {
            throw broken();
        }
        Connection connection = new Connection(new CommitConnection.Backend(++backends, new Timestamp(0)));
        open.add(connection);
        return connection;
    }

    private boolean breaks() {
        return !isCalm && scheduler.once(BREAKS_ONCE_IN);
    }

    private static SQLException broken() {
        return new PSQLException("The connection is broken.", PSQLState.CONNECTION_FAILURE);
    }

    private OptionalLong execute(List<CommitUnit> group, LogEntry known) throws SQLException {
        List<EventRow> added =
                group.stream().flatMap(unit -> unit.rows().stream()).toList();
        if (flaw != Flaw.NO_PREDECESSORS
                && !(has(known) && positions.keySet().containsAll(RefusedAppendAnalyzer.before(added)))) {
            return OptionalLong.empty();
        }
        // PostgreSQL does not say which of several broken constraints it reports.
        Map<String, Long> countedFirst = scheduler.once(2) ? counted(group) : null;
        Map<UniqueKeyClaim.Name, String> next = new HashMap<>(claims);
        Set<StreamPosition> places = new HashSet<>();
        for (EventRow row : added) {
            if (positions.containsKey(row.place()) || !places.add(row.place())) {
                throw duplicate();
            }
        }
        for (CommitUnit unit : group) {
            for (UniqueKeyClaim claim : unit.taken()) {
                if (next.putIfAbsent(claim.name(), claim.holder()) != null) {
                    throw duplicate();
                }
            }
        }
        Map<String, Long> counted = countedFirst == null ? counted(group) : countedFirst;
        commits.add(new LogSnapshot(rows.size(), claims, counters));
        claims = next;
        counters = counted;
        long base = rows.size();
        for (EventRow row : added) {
            rows.add(row);
            positions.put(row.place(), rows.size());
        }
        return OptionalLong.of(base);
    }

    private Map<String, Long> counted(List<CommitUnit> group) throws SQLException {
        Map<String, Long> counted = new HashMap<>(counters);
        for (CommitUnit unit : group) {
            for (CounterChange change : unit.counted()) {
                long taken = counted.merge(change.counter(), change.amount(), Long::sum);
                if (change.isLimited() && taken > change.total() && flaw != Flaw.NO_LIMIT) {
                    throw refusal("23514", "above the limit", "counter_limit");
                }
            }
        }
        return counted;
    }

    private static SQLException duplicate() {
        return refusal("23505", "duplicate key");
    }

    private static SQLException refusal(String state, String message) {
        return refusal(state, message, "");
    }

    private static SQLException refusal(String state, String message, String constraint) {
        return new PSQLException(
                new ServerErrorMessage("SERROR\0C%s\0M%s\0n%s\0".formatted(state, message, constraint)));
    }

    private final class Connection implements CommitConnection {

        private final Backend backend;
        private boolean alive = true;

        Connection(Backend backend) {
            this.backend = backend;
        }

        @Override
        public Backend backend() {
            return backend;
        }

        private void begin() throws SQLException {
            scheduler.turn();
            if (!alive || breaks()) {
                alive = false;
                throw broken();
            }
        }

        @Override
        public void fence(Backend of) throws SQLException {
            begin();
            if (flaw != Flaw.NO_FENCE) {
                underWay.removeIf(statement -> statement.backend().equals(of));
            }
            if (breaks()) {
                throw broken();
            }
        }

        @Override
        public OptionalLong append(List<CommitUnit> group, LogEntry known, boolean announced) throws SQLException {
            begin();
            requireRoom(announced);
            List<CommitUnit> sent = List.copyOf(group);
            int fate = isStandbyAway ? 1 : isCalm ? FATES : scheduler.any(FATES);
            switch (fate) {
                case 0 -> alive = false; // It has never arrived.
                case 1 -> {
                    alive = false;
                    executeUnheard(sent, known);
                }
                case 2, 3 -> {
                    alive = false;
                    underWay.add(new Statement(backend, sent, known));
                }
                default -> {
                    OptionalLong base = execute(sent, known);
                    if (base.isPresent()) {
                        commitsOnStandby = commits.size();
                    }
                    scheduler.turn();
                    return base;
                }
            }
            throw broken();
        }

        @Override
        public OptionalLong positionOf(EventRow row) throws SQLException {
            begin();
            int position = positions.getOrDefault(row.place(), 0);
            boolean isStored = position > 0 && rows.get(position - 1).id().equals(row.id());
            return isStored && flaw != Flaw.NO_WITNESS ? OptionalLong.of(position) : OptionalLong.empty();
        }

        @Override
        public void awaitStandby() throws SQLException {
            begin();
            if (isStandbyAway && flaw != Flaw.NO_STANDBY_WHEN_ANSWERED) {
                alive = false;
                throw broken();
            }
            SimulatedLog.this.awaitStandby(Flaw.NO_STANDBY_WHEN_ANSWERED);
        }

        @Override
        public OptionalLong headWithout(LogEntry known) throws SQLException {
            begin();
            return has(known) ? OptionalLong.empty() : OptionalLong.of(head());
        }

        @Override
        public boolean isOutdated() {
            return false;
        }

        @Override
        public Map<CommitUnit, RuntimeException> withoutPredecessor(List<CommitUnit> group) throws SQLException {
            begin();
            Map<CommitUnit, RuntimeException> guilty = new HashMap<>();
            for (CommitUnit unit : group) {
                if (!positions.keySet().containsAll(RefusedAppendAnalyzer.before(unit.rows()))) {
                    guilty.put(unit, new StreamChangedException("its predecessor is not stored"));
                }
            }
            return guilty;
        }

        /** Its units take no numbers. */
        @Override
        public Map<CommitUnit, RuntimeException> ofClosedSeries(List<CommitUnit> group) {
            return Map.of();
        }

        @Override
        public Map<CommitUnit, RuntimeException> exhausted(List<CommitUnit> group) throws SQLException {
            begin();
            return GroupCounterChanges.exhausted(group, counters, CounterChange::total);
        }

        @Override
        public Map<CommitUnit, RuntimeException> culpritsAmong(List<CommitUnit> group) throws SQLException {
            begin();
            Set<Object> existing = new HashSet<>(positions.keySet());
            existing.addAll(claims.keySet());
            Map<CommitUnit, RuntimeException> guilty = new HashMap<>();
            group.forEach(unit -> CommitConflictFinder.charge(unit, existing, guilty));
            return guilty;
        }

        @Override
        public void announce() throws SQLException {
            begin();
            requireRoom(true);
        }

        private void requireRoom(boolean announced) throws SQLException {
            if (announced && isQueueFull) {
                throw refusal("54000", "too many notifications in the NOTIFY queue");
            }
        }

        @Override
        public boolean isAlive() {
            return alive;
        }

        @Override
        public void giveBack() {
            open.remove(this);
        }

        @Override
        public void abandon() {
            alive = false;
            open.remove(this);
        }
    }
}
