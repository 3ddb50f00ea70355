package lottery.store.log;

/**
 * A request for the next number of a series.
 *
 * @param holder the owner of the number; a holder has one number at most
 */
record SeriesNumberRequest(String series, String holder) {}
