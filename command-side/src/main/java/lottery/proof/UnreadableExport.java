package lottery.proof;

/** A line of an export that says nothing that could be verified. */
public final class UnreadableExport extends Exception {

    private final long line;

    UnreadableExport(long line, String why) {
        super("line %d: %s".formatted(line, why));
        this.line = line;
    }

    /** Counted from 1. */
    public long line() {
        return line;
    }
}
