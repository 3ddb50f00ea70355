package lottery.store.commit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;

/** The writes of one unit of work, all or nothing, and the answer that its thread waits for. */
final class CommitUnit {

    private final List<EventRow> rows = new ArrayList<>();
    private final List<UniqueKeyClaim> taken = new ArrayList<>();
    private final List<SeriesNumberRequest> numbered = new ArrayList<>(0);
    private final List<String> closed = new ArrayList<>(0);
    private final List<CounterChange> counted = new ArrayList<>(0);
    private final CompletableFuture<Long> stored = new CompletableFuture<>();

    /** The ids of the aggregates of which the unit of work has found no events. */
    private final Set<String> foundAbsent;

    private boolean complete;
    private Set<UniqueKeyClaim.Name> claimed = Set.of();
    private int bytes;
    private long queuedAtNanos;

    /**
     * A request for the next number of a series.
     *
     * @param holder the owner of the number; a holder has one number at most
     */
    record SeriesNumberRequest(String series, String holder) {}

    /**
     * A change of a counter.
     *
     * @param amount how much is taken; negative if it is given back
     * @param total the limit up to which it may be taken
     */
    record CounterChange(String counter, long amount, long total) {

        private static final long UNLIMITED = Long.MAX_VALUE;

        static CounterChange giveBack(String counter, long amount) {
            return new CounterChange(counter, -amount, UNLIMITED);
        }

        boolean isLimited() {
            return total < UNLIMITED;
        }

        /** Adds a change that follows. Both limits hold as if the changes were made one after the other. */
        CounterChange then(CounterChange next) {
            long first = isLimited() ? total + next.amount() : UNLIMITED;
            return new CounterChange(counter, amount + next.amount(), Math.min(first, next.total()));
        }
    }

    CommitUnit() {
        this(Set.of());
    }

    /** @param foundAbsent the aggregates of which the unit of work has found no events; more may be added later */
    CommitUnit(Set<String> foundAbsent) {
        this.foundAbsent = foundAbsent;
    }

    /** Returns whether the unit of work has looked for events of this aggregate and found none. */
    boolean foundAbsent(String aggregateId) {
        return foundAbsent.contains(aggregateId);
    }

    void add(EventRow row) {
        rows.add(row);
        bytes += row.bytes();
    }

    void take(UniqueKeyClaim claim) {
        taken.add(claim);
    }

    /** Returns whether this unit takes a claim of this name. */
    boolean names(UniqueKeyClaim.Name name) {
        return taken.stream().anyMatch(claim -> claim.name().equals(name));
    }

    /** Removes a claim as if it had never been requested, unless this unit is complete. */
    void forgetTaken(UniqueKeyClaim claim) {
        if (!complete) {
            taken.remove(claim);
        }
    }

    void number(SeriesNumberRequest wanted) {
        numbered.add(wanted);
    }

    void forgetNumber(SeriesNumberRequest wanted) {
        if (!complete) {
            numbered.remove(wanted);
        }
    }

    void closeSeries(String series) {
        closed.add(series);
    }

    void forgetClosing(String series) {
        if (!complete) {
            closed.remove(series);
        }
    }

    void count(CounterChange change) {
        counted.add(change);
    }

    void forgetCount(CounterChange change) {
        if (!complete) {
            counted.remove(change);
        }
    }

    boolean isEmpty() {
        return rows.isEmpty() && taken.isEmpty() && numbered.isEmpty() && closed.isEmpty() && counted.isEmpty();
    }

    List<EventRow> rows() {
        return Collections.unmodifiableList(rows);
    }

    List<UniqueKeyClaim> taken() {
        return Collections.unmodifiableList(taken);
    }

    List<SeriesNumberRequest> numbered() {
        return Collections.unmodifiableList(numbered);
    }

    /**
     * Returns the series that this unit closes. A unit that closes a series has a commit of its own, so no other unit
     * takes a number in the same commit.
     */
    List<String> closed() {
        return Collections.unmodifiableList(closed);
    }

    boolean takesFromCounter() {
        return counted.stream().anyMatch(CounterChange::isLimited);
    }

    /** Returns whether this unit gives something back to a counter. */
    boolean givesBack() {
        return counted.stream().anyMatch(change -> change.amount() < 0);
    }

    List<CounterChange> counted() {
        return Collections.unmodifiableList(counted);
    }

    int bytes() {
        return bytes;
    }

    /** Returns the first row. If it is stored, all rows are stored, because they are written together or not at all. */
    EventRow witness() {
        return rows.getFirst();
    }

    /** Closes this unit. After this call nothing may be added. */
    void complete(long nowNanos) {
        complete = true;
        if (rows.isEmpty()) {
            throw new IllegalStateException("a claim, number or count is written with an event, which says why: "
                    + taken + numbered + closed + counted);
        }
        claimed = taken.stream().map(UniqueKeyClaim::name).collect(Collectors.toUnmodifiableSet());
        queuedAtNanos = nowNanos;
    }

    /** Returns the names of the claims that this unit takes. No two units of a group may share a name. */
    Set<UniqueKeyClaim.Name> claimed() {
        return claimed;
    }

    boolean writesAPlaceTwice() {
        return rows.stream().map(EventRow::place).distinct().count() < rows.size();
    }

    long waitedNanos(long nowNanos) {
        return nowNanos - queuedAtNanos;
    }

    /**
     * Answers the waiting thread that the unit is stored.
     *
     * @param newest the position of the unit's last event
     */
    void succeed(long newest) {
        stored.complete(newest);
    }

    void fail(RuntimeException why) {
        stored.completeExceptionally(why);
    }

    /** Returns whether {@link #await} returns at once. */
    boolean isAnswered() {
        return stored.isDone();
    }

    /**
     * Waits for the committer's answer. An interrupt does not end the wait, because the events may already be written.
     *
     * @return the position of the unit's last event
     */
    long await() {
        try {
            return stored.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException why ? why : new IllegalStateException(e.getCause());
        }
    }
}
