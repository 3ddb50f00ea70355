package lottery.bench.invariant;

import java.util.LinkedHashMap;
import java.util.Map;

/** Counts the checked facts and the violations, and keeps the text of the first violation. */
public final class FindingTally {

    private final Map<String, Long> noted = new LinkedHashMap<>();
    private long checked;
    private long violated;
    private String first = "";

    public void checked() {
        checked(1);
    }

    public void checked(long facts) {
        checked += facts;
    }

    public void violated(String words) {
        if (violated == 0) {
            first = words;
        }
        violated++;
    }

    /** Adds a count to the report that is no violation, for example how many rows are behind. */
    public void noted(String what, long number) {
        noted.put(what, number);
    }

    public InvariantVerdict verdict(String name, String promise) {
        return new InvariantVerdict(name, promise, checked, violated, first, noted);
    }
}
