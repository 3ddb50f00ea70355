package lottery.bench.invariant;

/** Something that must hold, watched over the whole history. */
interface Invariant {

    /** The next event in global order. */
    void see(EventTableRow event);

    /** Once, after the last event. */
    InvariantVerdict verdict(CheckMoment moment);
}
