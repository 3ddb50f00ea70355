package lottery.store.commit;

/**
 * A command tried to take more of a limited thing than is left. Nothing of the command is stored. A retry decides anew,
 * and this process knows by then how much is taken.
 */
public final class CounterExhaustedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String counter;
    private final long amount;
    private final long taken;

    CounterExhaustedException(String counter, long amount, long taken, long total) {
        super("too little is left of %s for %d more: %d of %d were taken before this commit"
                .formatted(counter, amount, taken, total));
        this.counter = counter;
        this.amount = amount;
        this.taken = taken;
    }

    /** Returns the name of the counter. */
    public String counter() {
        return counter;
    }

    /** Returns how much the unit of work wanted altogether. */
    public long amount() {
        return amount;
    }

    /** Returns how much was taken before the commit. */
    public long taken() {
        return taken;
    }
}
