package lottery.stock;

import java.util.BitSet;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;

/**
 * The units of a stock, from 1 to the total, and which of them this process believes to be free. The claims in
 * PostgreSQL decide. If PostgreSQL refuses a claim, this process reads the claims again.
 */
final class FreeUnitPicker {

    private final BitSet claimed = new BitSet();

    /** The units of draws whose commit is in progress. */
    private final BitSet underWay = new BitSet();

    private int total;

    /**
     * The highest unit that can be taken. It is usually the total. If the total was reduced, units above the new total
     * may be taken already. Each of them uses up one unit of the new total, so the highest unit is then lower than the
     * total. For example, if the new total is 5 and only unit 9 is taken, units 1 to 4 can be taken.
     */
    private int usable;

    private int free;

    /**
     * Takes a free unit for a draw that is about to commit. The unit is chosen at random, so that other processes
     * rarely choose the same one at the same time.
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

    /**
     * Records that the draw that took the unit has ended.
     *
     * @param isClaimed whether the unit counts as claimed now
     */
    synchronized void ended(int unit, boolean isClaimed) {
        change(unit, () -> {
            underWay.clear(unit);
            claimed.set(unit, isClaimed);
        });
    }

    /**
     * Records that a unit was given back. If a draw of this process has just taken the unit for its commit, the unit
     * stays taken.
     */
    synchronized void giveBack(int unit) {
        change(unit, () -> claimed.clear(unit));
    }

    /** Runs a change of a unit. If the change frees or takes the unit, the number of free units is corrected. */
    private void change(int unit, Runnable change) {
        boolean wasTaken = isTaken(unit);
        change.run();
        if (unit <= usable && wasTaken != isTaken(unit)) {
            free += wasTaken ? 1 : -1;
        }
    }

    /** Replaces what this process knows with the claims in PostgreSQL and with the total of the stock. */
    synchronized void reload(BitSet claims, int newTotal) {
        claimed.clear();
        claimed.or(claims);
        total = newTotal;
        BitSet taken = (BitSet) claimed.clone();
        taken.or(underWay);
        usable = usable(taken, newTotal);
        free = usable - taken.get(1, usable + 1).cardinality();
    }

    /** Returns the highest unit that can be taken. The units that are taken above this number reduce the total. */
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
