package lottery.bench.invariant;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The verdict on one invariant.
 *
 * @param name its short name, {@code I6} for example
 * @param promise the rule that has to hold
 * @param checked how many facts were checked; if there are none, the verdict has no meaning
 * @param first the text of the first violation; empty if there is none
 * @param noted further counts for the report; usually empty
 */
public record InvariantVerdict(
        String name, String promise, long checked, long violated, String first, Map<String, Long> noted) {

    public InvariantVerdict {
        noted = Collections.unmodifiableMap(new LinkedHashMap<>(noted));
    }

    public boolean holds() {
        return violated == 0;
    }

    /** Returns a verdict that combines this one and another one. */
    public InvariantVerdict and(InvariantVerdict other) {
        Map<String, Long> both = new LinkedHashMap<>(noted);
        other.noted.forEach((what, number) -> both.merge(what, number, Long::sum));
        return new InvariantVerdict(
                name,
                promise,
                checked + other.checked,
                violated + other.violated,
                first.isEmpty() ? other.first : first,
                both);
    }

    /** Returns the further counts as text. */
    public String remark() {
        return noted.entrySet().stream()
                .map(each -> each.getValue() + " " + each.getKey())
                .collect(Collectors.joining(", "));
    }
}
