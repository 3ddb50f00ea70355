package lottery.store.log;

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
    private final List<Claim> taken = new ArrayList<>();
    private final List<Claim> released = new ArrayList<>();
    private final CompletableFuture<Long> stored = new CompletableFuture<>();

    private boolean complete;
    private Set<Claim.Name> claimed = Set.of();
    private int bytes;
    private long queuedAtNanos;

    void add(EventRow row) {
        rows.add(row);
        bytes += row.bytes();
    }

    void take(Claim claim) {
        taken.add(claim);
    }

    void release(Claim claim) {
        released.add(claim);
    }

    /** As if it had never been asked for, unless it is on its way already. */
    void forgetTaken(Claim claim) {
        if (!complete) {
            taken.remove(claim);
        }
    }

    void forgetReleased(Claim claim) {
        if (!complete) {
            released.remove(claim);
        }
    }

    boolean isEmpty() {
        return rows.isEmpty() && taken.isEmpty() && released.isEmpty();
    }

    List<EventRow> rows() {
        return Collections.unmodifiableList(rows);
    }

    List<Claim> taken() {
        return Collections.unmodifiableList(taken);
    }

    List<Claim> released() {
        return Collections.unmodifiableList(released);
    }

    int bytes() {
        return bytes;
    }

    /** The first row says for all of them whether they are stored: they are written together or not at all. */
    EventRow witness() {
        return rows.getFirst();
    }

    /** Nothing more is added from here on. */
    void complete(long nowNanos) {
        complete = true;
        if (rows.isEmpty()) {
            throw new IllegalStateException("a claim is written with an event, which says why: " + taken + released);
        }
        claimed = claimedOnce();
        queuedAtNanos = nowNanos;
    }

    /**
     * The claims of this unit, none of which another unit of the same group may have: in one statement the one would
     * not see what the other gives back. Places in streams need no such care, since units that want the same one are
     * rare, and PostgreSQL refuses one of them.
     */
    Set<Claim.Name> claimed() {
        return claimed;
    }

    private Set<Claim.Name> claimedOnce() {
        if (taken.isEmpty() && released.isEmpty()) {
            return Set.of();
        }
        Set<Claim.Name> names = HashSet.newHashSet(taken.size() + released.size());
        Stream.concat(taken.stream(), released.stream()).map(Claim::name).forEach(name -> {
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

    /** @param newest the position of its last event */
    void succeed(long newest) {
        stored.complete(newest);
    }

    void fail(RuntimeException why) {
        stored.completeExceptionally(why);
    }

    /**
     * Waits for the committer's answer. An interrupt does not shorten that: the events are on their way.
     *
     * @return the position of its last event
     */
    long await() {
        try {
            return stored.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException why ? why : new IllegalStateException(e.getCause());
        }
    }
}
