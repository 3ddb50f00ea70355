package lottery.bench.invariant;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The verdict on one invariant.
 *
 * @param name as the design calls it
 * @param promise what has to hold
 * @param checked how many facts were looked at; none, and the invariant holds without saying anything
 * @param first the first violation in words, empty if there is none
 * @param noted how many there are of what else is worth knowing, mostly of nothing
 */
public record InvariantVerdict(
        String name, String promise, long checked, long violated, String first, Map<String, Long> noted) {

    public InvariantVerdict {
        noted = Collections.unmodifiableMap(new LinkedHashMap<>(noted));
    }

    public boolean holds() {
        return violated == 0;
    }

    /** The same of what one and the other have looked at. */
    InvariantVerdict and(InvariantVerdict other) {
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

    /** What is noted, in words. */
    public String remark() {
        return noted.entrySet().stream()
                .map(each -> each.getValue() + " " + each.getKey())
                .collect(Collectors.joining(", "));
    }
}
