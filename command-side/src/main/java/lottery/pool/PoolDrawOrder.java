package lottery.pool;

import java.util.Arrays;
import javax.crypto.Mac;

/**
 * Computes the order of the entries of a pool. Entries are ordered by their lots, compared as unsigned bytes, and by
 * their numbers if lots are equal. It needs 40 bytes of memory for each entry.
 */
public final class PoolDrawOrder {

    private final int entries;
    private final byte[] lots;
    private final Mac mac;
    private int filled;

    /** @param entries the number of entries, at most 60 million, because their lots are kept in one array */
    public PoolDrawOrder(int entries, PoolShuffleKey key) {
        this.entries = entries;
        this.lots = new byte[Math.multiplyExact(entries, EntryTree.HASH)];
        this.mac = key.lots();
    }

    /** Adds the leaf of the next entry. */
    public void add(byte[] leaves, int offset) {
        mac.update(leaves, offset, EntryTree.HASH);
        byte[] lot = mac.doFinal();
        System.arraycopy(lot, 0, lots, filled * EntryTree.HASH, EntryTree.HASH);
        filled++;
    }

    /** Returns the numbers of the entries, from 1 on, in the order of the draw. */
    public int[] sorted() {
        if (filled != entries) {
            throw new IllegalStateException("%d of %d entries have lots".formatted(filled, entries));
        }
        int[] from = new int[entries];
        for (int i = 0; i < entries; i++) {
            from[i] = i;
        }
        int[] to = new int[entries];
        for (int width = 1; width < entries && width > 0; width *= 2) {
            for (int left = 0; left < entries; left += 2 * width) {
                merge(from, to, left, Math.min(left + width, entries), Math.min(left + 2 * width, entries));
            }
            int[] swapped = from;
            from = to;
            to = swapped;
        }
        for (int i = 0; i < entries; i++) {
            from[i]++;
        }
        return from;
    }

    /**
     * Merges two runs. If lots are equal, the lot of the left run comes first, because its entry has the lower number.
     */
    private void merge(int[] from, int[] to, int left, int middle, int end) {
        int one = left;
        int other = middle;
        for (int i = left; i < end; i++) {
            boolean takesOne = one < middle && (other >= end || compare(from[one], from[other]) <= 0);
            to[i] = takesOne ? from[one++] : from[other++];
        }
    }

    private int compare(int one, int other) {
        int left = one * EntryTree.HASH;
        int right = other * EntryTree.HASH;
        return Arrays.compareUnsigned(lots, left, left + EntryTree.HASH, lots, right, right + EntryTree.HASH);
    }
}
