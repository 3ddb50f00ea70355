package lottery.store.log;

/**
 * A position in a log.
 *
 * @param log the number of the log
 * @param position the position of an event; 0: the position before the first one
 */
public record LogPosition(int log, long position) {

    /** How many bits of the number are the position. A browser can tell whole numbers of 53 bits apart. */
    private static final int POSITION_BITS = 46;

    /**
     * Returns the position that has this number.
     *
     * @param number not negative
     */
    public static LogPosition of(long number) {
        return new LogPosition((int) (number >>> POSITION_BITS), number & ((1L << POSITION_BITS) - 1));
    }

    /** Returns a position in the log in which this thread works. */
    public static LogPosition inCurrentLog(long position) {
        return new LogPosition(Log.currentNumber(), position);
    }

    /** Returns one number for log and position. In the home log it is the position itself. */
    public long number() {
        return ((long) log << POSITION_BITS) | position;
    }
}
