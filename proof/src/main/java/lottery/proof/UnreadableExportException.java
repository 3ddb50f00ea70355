package lottery.proof;

/** Thrown if a line of an export cannot be verified. */
public final class UnreadableExportException extends Exception {

    private final long line;

    UnreadableExportException(long line, String why) {
        super("line %d: %s".formatted(line, why));
        this.line = line;
    }

    /** Returns the number of the line, counted from 1. */
    public long line() {
        return line;
    }
}
