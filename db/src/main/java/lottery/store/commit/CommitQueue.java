package lottery.store.commit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import lottery.store.log.StoreBusyException;
import org.jspecify.annotations.Nullable;

/**
 * The units of work that wait for their commit, and the groups that they form. Any thread may offer a unit. Only the
 * committer's thread takes groups.
 */
final class CommitQueue {

    private final CommitterTimeSource clock;
    private final CommitterLimits limits;
    private final BlockingQueue<CommitUnit> units;
    private @Nullable CommitUnit carried;

    private static final Comparator<CommitUnit> RETURNS_FIRST = Comparator.comparing(unit -> !unit.givesBack());

    CommitQueue(CommitterTimeSource clock, CommitterLimits limits) {
        this.clock = clock;
        this.limits = limits;
        this.units = new ArrayBlockingQueue<>(limits.waitingUnitsMax());
    }

    /** Adds a unit, unless too many wait already. */
    boolean offer(CommitUnit unit) {
        return units.offer(unit);
    }

    /** Removes a unit that no group has taken, and returns whether it was there. */
    boolean remove(CommitUnit unit) {
        return units.remove(unit);
    }

    int size() {
        return units.size();
    }

    /** Returns whether no unit waits. Only the committer's thread may call this. */
    boolean isEmpty() {
        return carried == null && units.isEmpty();
    }

    /**
     * Takes units for one group; the group is empty if no unit comes in time. It stops at the limits of a group, and at
     * the first unit that shares a claim with the group. A unit that closes a series is a group of its own. The units
     * of a group do not depend on each other. Those that give something back to a counter come first, so that no
     * counter exceeds its limit on the way.
     */
    List<CommitUnit> nextGroup(long waitMaxNanos) throws InterruptedException {
        List<CommitUnit> group = new ArrayList<>();
        Set<UniqueKeyClaim.Name> claimed = new HashSet<>();
        int events = 0;
        int bytes = 0;
        boolean closes = false;
        CommitUnit next = carried != null ? carried : units.poll(waitMaxNanos, TimeUnit.NANOSECONDS);
        carried = null;
        for (; next != null; next = units.poll()) {
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
        group.sort(RETURNS_FIRST);
        return group;
    }

    /** Takes all units that wait. */
    List<CommitUnit> drain() {
        List<CommitUnit> waiting = new ArrayList<>();
        if (carried != null) {
            waiting.add(carried);
        }
        units.drainTo(waiting);
        return waiting;
    }
}
