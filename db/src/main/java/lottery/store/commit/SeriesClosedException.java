package lottery.store.commit;

/** A unit tried to take a number from a closed series. Nothing of the unit is stored. */
public final class SeriesClosedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String series;

    SeriesClosedException(String series) {
        super(series + " is closed, and gives no more numbers");
        this.series = series;
    }

    /** Returns the name of the series. */
    public String series() {
        return series;
    }
}
