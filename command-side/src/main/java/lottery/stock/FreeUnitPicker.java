package lottery.stock;

import java.util.BitSet;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;

/**
 * The units from 1 to the total, with the free ones as this process knows them. The database decides. If it refuses a
 * claim, this process checks the claims.
 */
final class FreeUnitPicker {

    private final BitSet claimed = new BitSet();

    /** The units of draws whose commit is in progress. */
    private final BitSet underWay = new BitSet();

    private int total;

    /**
     * The highest unit that can be taken. It is below the total if units above the total were taken when the total was
     * larger.
     */
    private int usable;

    private int free;

    /**
     * Takes a free unit for a draw that is about to commit. It chooses at random, so that other processes rarely choose
     * the same unit.
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

    /** Records that the draw that took the unit has ended. */
    synchronized void ended(int unit, boolean isClaimed) {
        change(unit, () -> {
            underWay.clear(unit);
            claimed.set(unit, isClaimed);
        });
    }

    /** Records that a unit was given back. A draw that is about to take the unit keeps it. */
    synchronized void giveBack(int unit) {
        change(unit, () -> claimed.clear(unit));
    }

    /** Changes a unit, and counts the free units by its state before and after. */
    private void change(int unit, Runnable change) {
        boolean wasTaken = isTaken(unit);
        change.run();
        if (unit <= usable && wasTaken != isTaken(unit)) {
            free += wasTaken ? 1 : -1;
        }
    }

    /** Takes over the claims of the database, and the total of the strategy. */
    synchronized void reload(BitSet claims, int newTotal) {
        claimed.clear();
        claimed.or(claims);
        total = newTotal;
        BitSet taken = (BitSet) claimed.clone();
        taken.or(underWay);
        usable = usable(taken, newTotal);
        free = usable - taken.get(1, usable + 1).cardinality();
    }

    /** Returns the highest unit that can be taken. Units that are taken above it count towards the total. */
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
