package lottery.store.commit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import lottery.store.log.EventRow;
import lottery.store.log.Log;
import org.jspecify.annotations.Nullable;

/** The writes of one unit of work, all or nothing, and the answer that its thread waits for. */
public final class CommitUnit {

    private final List<EventRow> rows = new ArrayList<>();
    private final List<LongFunction<Object>> messages = new ArrayList<>();
    private final List<UniqueKeyClaim> taken = new ArrayList<>();
    private final List<SeriesNumberRequest> numbered = new ArrayList<>(0);
    private final List<String> closed = new ArrayList<>(0);
    private final List<CounterChange> counted = new ArrayList<>(0);
    private final CompletableFuture<Long> stored = new CompletableFuture<>();

    /** The ids of the aggregates of which the unit of work has found no events. */
    private final Set<String> foundAbsent;

    private @Nullable Log log;
    private boolean complete;
    private Set<UniqueKeyClaim.Name> claimed = Set.of();
    private int bytes;
    private long queuedAtNanos;

    /**
     * A request for the next number of a series.
     *
     * @param holder the owner of the number; a holder has one number at most
     */
    public record SeriesNumberRequest(String series, String holder) {}

    /**
     * A change of a counter.
     *
     * @param amount how much is taken; negative if it is given back
     * @param total the limit up to which it may be taken
     */
    public record CounterChange(String counter, long amount, long total) {

        private static final long UNLIMITED = Long.MAX_VALUE;

        public static CounterChange giveBack(String counter, long amount) {
            return new CounterChange(counter, -amount, UNLIMITED);
        }

        /** Returns the same change without a limit of its own. */
        CounterChange unlimited() {
            return new CounterChange(counter, amount, UNLIMITED);
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

    public CommitUnit() {
        this(Set.of());
    }

    /** @param foundAbsent the aggregates of which the unit of work has found no events; more may be added later */
    public CommitUnit(Set<String> foundAbsent) {
        this.foundAbsent = foundAbsent;
    }

    /** Returns whether the unit of work has looked for events of this aggregate and found none. */
    boolean foundAbsent(String aggregateId) {
        return foundAbsent.contains(aggregateId);
    }

    /**
     * Requires that all events of this unit are in the same log.
     *
     * @throws IllegalStateException if an earlier event is in another log
     */
    public void in(Log wanted) {
        if (log != null && log != wanted) {
            throw new IllegalStateException(
                    "a unit of work writes to one log, and this one would write to %s and %s".formatted(log, wanted));
        }
        log = wanted;
    }

    /** Returns the log of the events of this unit. */
    public Log log() {
        if (log == null) {
            throw withoutEvent();
        }
        return log;
    }

    /**
     * Adds an event.
     *
     * @param message makes what readers in this process get, for the position of the event
     */
    public void add(EventRow row, LongFunction<Object> message) {
        rows.add(row);
        messages.add(message);
        bytes += row.bytes();
    }

    public void take(UniqueKeyClaim claim) {
        taken.add(claim);
    }

    /** Returns whether this unit takes a claim of this name. */
    public boolean names(UniqueKeyClaim.Name name) {
        return taken.stream().anyMatch(claim -> claim.name().equals(name));
    }

    /** Removes a claim as if it had never been requested, unless this unit is complete. */
    public void forgetTaken(UniqueKeyClaim claim) {
        if (!complete) {
            taken.remove(claim);
        }
    }

    public void number(SeriesNumberRequest wanted) {
        numbered.add(wanted);
    }

    public void forgetNumber(SeriesNumberRequest wanted) {
        if (!complete) {
            numbered.remove(wanted);
        }
    }

    public void closeSeries(String series) {
        closed.add(series);
    }

    public void forgetClosing(String series) {
        if (!complete) {
            closed.remove(series);
        }
    }

    public void count(CounterChange change) {
        counted.add(change);
    }

    public void forgetCount(CounterChange change) {
        if (!complete) {
            counted.remove(change);
        }
    }

    public boolean isEmpty() {
        return rows.isEmpty() && taken.isEmpty() && numbered.isEmpty() && closed.isEmpty() && counted.isEmpty();
    }

    List<EventRow> rows() {
        return Collections.unmodifiableList(rows);
    }

    List<LongFunction<Object>> messages() {
        return Collections.unmodifiableList(messages);
    }

    List<UniqueKeyClaim> taken() {
        return Collections.unmodifiableList(taken);
    }

    public List<SeriesNumberRequest> numbered() {
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

    public List<CounterChange> counted() {
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
            throw withoutEvent();
        }
        claimed = taken.stream().map(UniqueKeyClaim::name).collect(Collectors.toUnmodifiableSet());
        queuedAtNanos = nowNanos;
    }

    private IllegalStateException withoutEvent() {
        return new IllegalStateException("a claim, number or count is written with an event, which says why: " + taken
                + numbered + closed + counted);
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
