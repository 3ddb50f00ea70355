package lottery.pool;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import lottery.api.Sha256;
import lottery.api.activity.ActivityId;

/**
 * The Merkle tree over the entries of a pool, in the order of their numbers. A leaf is the SHA-256 of a zero byte and
 * the text {@code activity:<id>|<entryNo>|<orderId>}. A node is the SHA-256 of a byte with the value one and its two
 * children. If a tree has n leaves, its left subtree has the largest power of two below n. The root of a tree without
 * leaves is the SHA-256 of the empty input.
 *
 * <p>A chunk is a part of the tree with a fixed number of leaves, a power of two. The root over all leaves is the root
 * over the roots of the chunks. So to compute a root or a proof, only the leaves of one chunk have to be in memory at a
 * time.
 */
public final class EntryTree {

    /** The number of leaves in a chunk. */
    public static final int CHUNK = 4_096;

    /** The number of bytes in a hash. */
    public static final int HASH = 32;

    private static final byte LEAF = 0;
    private static final byte NODE = 1;

    private EntryTree() {}

    /**
     * One step from a leaf to the root.
     *
     * @param left whether the sibling is on the left
     */
    @SuppressWarnings("ArrayRecordComponent") // The array is neither compared nor changed.
    record Sibling(boolean left, byte[] hash) {}

    /** Returns the leaf of an entry. */
    public static byte[] leaf(ActivityId activityId, int entryNo, String orderId) {
        MessageDigest digest = Sha256.digest();
        digest.update(LEAF);
        return digest.digest((activityId.text() + "|" + entryNo + "|" + orderId).getBytes(UTF_8));
    }

    /** Returns the root over hashes: leaves of a chunk, or roots of chunks. */
    public static byte[] root(List<byte[]> hashes) {
        return hashes.isEmpty() ? Sha256.digest().digest() : root(hashes, 0, hashes.size());
    }

    private static byte[] root(List<byte[]> hashes, int from, int to) {
        if (to - from == 1) {
            return hashes.get(from);
        }
        int middle = from + leftOf(to - from);
        return node(root(hashes, from, middle), root(hashes, middle, to));
    }

    /** Returns the siblings from one of the hashes up to their root. */
    static List<Sibling> path(List<byte[]> hashes, int index) {
        List<Sibling> path = new ArrayList<>();
        path(hashes, 0, hashes.size(), index, path);
        return path;
    }

    private static void path(List<byte[]> hashes, int from, int to, int index, List<Sibling> path) {
        if (to - from == 1) {
            return;
        }
        int middle = from + leftOf(to - from);
        if (index < middle) {
            path(hashes, from, middle, index, path);
            path.add(new Sibling(false, root(hashes, middle, to)));
        } else {
            path(hashes, middle, to, index, path);
            path.add(new Sibling(true, root(hashes, from, middle)));
        }
    }

    /** Returns the root that a leaf and its siblings lead to. */
    static byte[] climb(byte[] leaf, List<Sibling> path) {
        byte[] hash = leaf;
        for (Sibling sibling : path) {
            hash = sibling.left() ? node(sibling.hash(), hash) : node(hash, sibling.hash());
        }
        return hash;
    }

    private static int leftOf(int leaves) {
        return Integer.highestOneBit(leaves - 1);
    }

    private static byte[] node(byte[] left, byte[] right) {
        MessageDigest digest = Sha256.digest();
        digest.update(NODE);
        digest.update(left);
        return digest.digest(right);
    }
}
