package lottery.stock;

import java.util.BitSet;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;

/**
 * Units 1 to the total, of which some are free. This is what one process believes; the database decides, and a claim
 * that it refuses makes this process look again.
 */
final class UnitSet {

    private final BitSet claimed = new BitSet();

    /** Taken by draws whose commit is under way. */
    private final BitSet underWay = new BitSet();

    private int total;

    /**
     * The units up to this one can be taken; fewer than the total if some beyond the total were taken when it was
     * larger.
     */
    private int usable;

    private int free;

    /**
     * A free unit for a draw that is about to be committed. Where others take from the same stock, a unit in the middle
     * of nowhere is rarely theirs, too.
     */
    synchronized OptionalInt take(RandomGenerator random) {
        if (free == 0) {
            return OptionalInt.empty();
        }
        int unit = freeFrom(random.nextInt(usable) + 1);
        if (unit > usable) {
            unit = freeFrom(1);
        }
        underWay.set(unit);
        free--;
        return OptionalInt.of(unit);
    }

    private int freeFrom(int first) {
        int unit = first;
        while (isTaken(unit)) {
            unit = underWay.nextClearBit(claimed.nextClearBit(unit));
        }
        return unit;
    }

    private boolean isTaken(int unit) {
        return claimed.get(unit) || underWay.get(unit);
    }

    /** The draw that took it is over. */
    synchronized void ended(int unit, boolean isClaimed) {
        change(unit, () -> {
            underWay.clear(unit);
            claimed.set(unit, isClaimed);
        });
    }

    /** Somebody has given it back; a draw that is about to take it has it all the same. */
    synchronized void cameBack(int unit) {
        change(unit, () -> claimed.clear(unit));
    }

    /** What is free is counted by what the unit was before and is after, whatever was believed of it. */
    private void change(int unit, Runnable change) {
        boolean wasTaken = isTaken(unit);
        change.run();
        if (unit <= usable && wasTaken != isTaken(unit)) {
            free += wasTaken ? 1 : -1;
        }
    }

    /** What the database says, and the strategy. */
    synchronized void learn(BitSet claims, int newTotal) {
        claimed.clear();
        claimed.or(claims);
        total = newTotal;
        BitSet taken = (BitSet) claimed.clone();
        taken.or(underWay);
        usable = usable(taken, newTotal);
        free = usable - taken.get(1, usable + 1).cardinality();
    }

    /** The most units that leave room in the total for what was taken beyond them. */
    private static int usable(BitSet taken, int total) {
        int usable = total;
        int beyond = taken.get(total + 1, Math.max(taken.length(), total + 1)).cardinality();
        while (usable > 0 && usable + beyond > total) {
            if (taken.get(usable)) {
                beyond++;
            }
            usable--;
        }
        return usable;
    }

    synchronized int total() {
        return total;
    }

    synchronized boolean isEmpty() {
        return free == 0;
    }
}
