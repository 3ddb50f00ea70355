package lottery.bench.invariant.log;

import java.util.HashMap;
import java.util.Map;
import lottery.bench.invariant.CheckMoment;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.FindingTally;
import lottery.bench.invariant.Invariant;
import lottery.bench.invariant.InvariantVerdict;

/** Checks that the sequence numbers of each stream begin with 0, without gaps and in order. */
public final class StreamSequenceInvariant implements Invariant {

    private final FindingTally tally = new FindingTally();
    private final Map<String, Long> next = new HashMap<>();

    @Override
    public void accept(EventTableRow event) {
        if (event.isRepeated()) {
            return;
        }
        tally.checked();
        long expected = next.getOrDefault(event.stream(), 0L);
        if (event.sequence() != expected) {
            tally.violated("%s goes on with %d at event %d, where %d was due"
                    .formatted(event.stream(), event.sequence(), event.position(), expected));
        }
        next.put(event.stream(), event.sequence() + 1);
    }

    @Override
    public InvariantVerdict verdict(CheckMoment moment) {
        return tally.verdict("order", "sequence numbers of each stream have no gaps");
    }
}
