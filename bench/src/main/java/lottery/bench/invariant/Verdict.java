package lottery.bench.invariant;

/**
 * What became of one invariant.
 *
 * @param name as the design calls it
 * @param promise what has to hold
 * @param checked how many facts were looked at; none, and the invariant holds without saying anything
 * @param first the first violation in words, empty if there is none
 * @param remark what else is worth knowing, mostly empty
 */
public record Verdict(String name, String promise, long checked, long violated, String first, String remark) {

    public boolean holds() {
        return violated == 0;
    }
}
