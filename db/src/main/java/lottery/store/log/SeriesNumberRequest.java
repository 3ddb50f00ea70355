package lottery.store.log;

/**
 * The wish for the next number of a series.
 *
 * @param holder the owner of the number, who has one number at most
 */
record SeriesNumberRequest(String series, String holder) {}
