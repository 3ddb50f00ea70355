package lottery.bench.invariant;

/** The log counts from 1 on, without holes: whoever has read a position has missed nothing before it. */
final class Positions implements Invariant {

    private final Tally tally = new Tally();
    private long last;

    @Override
    public void see(Event event) {
        tally.checked();
        if (event.position() != last + 1) {
            tally.violated("event %d follows on event %d".formatted(event.position(), last));
        }
        last = event.position();
    }

    @Override
    public Verdict verdict(Moment moment) {
        return tally.verdict("log", "positions have no holes");
    }
}
