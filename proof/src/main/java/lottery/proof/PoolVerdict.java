package lottery.proof;

import java.util.List;

/**
 * The result of the verification of a pool.
 *
 * @param wins how many wins were verified
 * @param unseeded whether the draw key cannot be checked because the seed is not published yet
 * @param differences the first differences; empty if the pool is correct
 */
public record PoolVerdict(int entries, int wins, boolean unseeded, List<Difference> differences) {

    public PoolVerdict {
        differences = List.copyOf(differences);
    }

    public boolean agrees() {
        return differences.isEmpty();
    }

    /** Describes the differences, each in a line. */
    public List<String> inWords() {
        return differences.stream().map(Difference::toString).toList();
    }
}
