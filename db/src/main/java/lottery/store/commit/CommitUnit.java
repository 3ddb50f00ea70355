package lottery.store.commit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;

/** The writes of one unit of work, all or nothing, and the answer that its thread waits for. */
final class CommitUnit {

    private final List<EventRow> rows = new ArrayList<>();
    private final List<UniqueKeyClaim> taken = new ArrayList<>();
    private final List<UniqueKeyClaim> released = new ArrayList<>();
    private final List<SeriesNumberRequest> numbered = new ArrayList<>(0);
    private final List<String> closed = new ArrayList<>(0);
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

    void release(UniqueKeyClaim claim) {
        released.add(claim);
    }

    /** Returns whether this unit takes or releases a claim of this name. */
    boolean names(UniqueKeyClaim.Name name) {
        return Stream.concat(taken.stream(), released.stream())
                .anyMatch(claim -> claim.name().equals(name));
    }

    /** Removes a claim as if it had never been requested, unless this unit is complete. */
    void forgetTaken(UniqueKeyClaim claim) {
        if (!complete) {
            taken.remove(claim);
        }
    }

    void forgetReleased(UniqueKeyClaim claim) {
        if (!complete) {
            released.remove(claim);
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

    boolean isEmpty() {
        return rows.isEmpty() && taken.isEmpty() && released.isEmpty() && numbered.isEmpty() && closed.isEmpty();
    }

    List<EventRow> rows() {
        return Collections.unmodifiableList(rows);
    }

    List<UniqueKeyClaim> taken() {
        return Collections.unmodifiableList(taken);
    }

    List<UniqueKeyClaim> released() {
        return Collections.unmodifiableList(released);
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
            throw new IllegalStateException("a claim or number is written with an event, which says why: " + taken
                    + released + numbered + closed);
        }
        claimed = claimedOnce();
        queuedAtNanos = nowNanos;
    }

    /**
     * Returns the names of the claims that this unit takes or releases. No two units of a group may share a name.
     * Within one statement, a unit that takes a claim would not see that another unit releases this claim. Events need
     * no such rule: two units rarely write the same event, and PostgreSQL then refuses one of the units.
     */
    Set<UniqueKeyClaim.Name> claimed() {
        return claimed;
    }

    private Set<UniqueKeyClaim.Name> claimedOnce() {
        if (taken.isEmpty() && released.isEmpty()) {
            return Set.of();
        }
        Set<UniqueKeyClaim.Name> names = HashSet.newHashSet(taken.size() + released.size());
        Stream.concat(taken.stream(), released.stream())
                .map(UniqueKeyClaim::name)
                .forEach(name -> {
                    if (!names.add(name)) {
                        throw new IllegalStateException("one unit of work claims or releases twice: " + name);
                    }
                });
        return names;
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
