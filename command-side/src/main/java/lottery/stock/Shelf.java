package lottery.stock;

import java.util.BitSet;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;

/**
 * Slots 1 to the total, of which some are free. This is what one process believes; the database decides, and a claim
 * that it refuses makes this process look again.
 */
final class Shelf {

    private final BitSet claimed = new BitSet();

    /** Taken by draws whose commit is under way. */
    private final BitSet underWay = new BitSet();

    private int total;
    private int free;

    /**
     * A free slot for a draw that is about to be committed. Where others take from the same shelf, a slot in the middle
     * of nowhere is rarely theirs, too.
     */
    synchronized OptionalInt take(RandomGenerator random) {
        if (free == 0) {
            return OptionalInt.empty();
        }
        int slot = freeFrom(random.nextInt(total) + 1);
        if (slot > total) {
            slot = freeFrom(1);
        }
        underWay.set(slot);
        free--;
        return OptionalInt.of(slot);
    }

    private int freeFrom(int first) {
        int slot = first;
        while (isTaken(slot)) {
            slot = underWay.nextClearBit(claimed.nextClearBit(slot));
        }
        return slot;
    }

    private boolean isTaken(int slot) {
        return claimed.get(slot) || underWay.get(slot);
    }

    /** The draw that took it is over. */
    synchronized void ended(int slot, boolean isClaimed) {
        boolean wasTaken = isTaken(slot);
        underWay.clear(slot);
        claimed.set(slot, isClaimed);
        if (wasTaken && !isClaimed && slot <= total) {
            free++;
        }
    }

    /** What the database says, and the strategy. */
    synchronized void learn(BitSet claims, int newTotal) {
        claimed.clear();
        claimed.or(claims);
        total = newTotal;
        BitSet taken = (BitSet) claimed.clone();
        taken.or(underWay);
        free = total - taken.get(1, total + 1).cardinality();
    }

    synchronized int total() {
        return total;
    }

    synchronized boolean isEmpty() {
        return free == 0;
    }
}
