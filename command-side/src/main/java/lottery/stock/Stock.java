package lottery.stock;

import java.util.List;
import lottery.stock.RedisShelves.Contents;
import org.jspecify.annotations.Nullable;

/** What is left on the shelves of an activity. */
record Stock(List<OnShelf> shelves) {

    Stock {
        shelves = List.copyOf(shelves);
    }

    /** @param id of the award, the SKU or the activity */
    record OnShelf(ShelfId.Kind kind, String id, @Nullable String title, int total, Claimed postgres, Believed redis) {}

    /** By the claims, which are what is true. */
    record Claimed(long taken, long free) {

        static Claimed of(long taken, int total) {
            return new Claimed(taken, Math.max(0, total - taken));
        }
    }

    enum State {
        LOADED,
        NOT_LOADED,
        AWAY
    }

    /**
     * By Redis.
     *
     * @param reserved of those that are taken: for draws that are not known to be committed
     */
    record Believed(
            State state,
            @Nullable Long taken,
            @Nullable Long free,
            @Nullable Long reserved) {

        static final Believed AWAY = new Believed(State.AWAY, null, null, null);

        static Believed of(Contents contents, int total) {
            return contents.isLoaded()
                    ? new Believed(
                            State.LOADED, contents.taken(), Math.max(0, total - contents.taken()), contents.reserved())
                    : new Believed(State.NOT_LOADED, null, null, null);
        }
    }
}
