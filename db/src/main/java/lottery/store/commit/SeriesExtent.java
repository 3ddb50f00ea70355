package lottery.store.commit;

/**
 * The numbers of a series with a limit.
 *
 * @param newest the newest number that was given; 0 if none was
 * @param last the last number that can be given
 */
public record SeriesExtent(int newest, int last) {

    public int left() {
        return last - newest;
    }
}
