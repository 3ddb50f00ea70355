package lottery.bench.invariant;

/** A rule that must hold, checked over the whole history. */
public interface Invariant {

    /** Takes the next event in global order. */
    void accept(EventTableRow event);

    /** Returns the verdict, once, after the last event. */
    InvariantVerdict verdict(CheckMoment moment);
}
