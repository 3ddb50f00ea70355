package lottery.view;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import org.jspecify.annotations.Nullable;

/** Checks the parameters of lists, and cuts their pages. */
public final class Paging {

    private static final int LIMIT_MAX = 100;

    private Paging() {}

    /** Refuses an invalid limit or cursor. */
    public static void require(int limit, @Nullable String cursor, Function<String, Optional<?>> reader) {
        requireLimit(limit);
        if (cursor != null && reader.apply(cursor).isEmpty()) {
            throw new RefusedException(Refusal.INVALID, "cursor");
        }
    }

    /** Refuses an invalid limit. */
    public static void requireLimit(int limit) {
        if (limit < 1 || limit > LIMIT_MAX) {
            throw new RefusedException(Refusal.INVALID, "limit");
        }
    }

    /**
     * A page.
     *
     * @param next the cursor of the next page; null on the last page
     */
    public record Page<T>(List<T> items, @Nullable String next) {

        public <S> List<S> each(Function<T, S> shown) {
            return items.stream().map(shown).toList();
        }
    }

    /**
     * Returns a page of the items that were found.
     *
     * @param found the found items, at most one more than fits the page; the extra item shows that there is a next page
     * @param cursor returns the cursor of the page that follows an item
     */
    public static <T> Page<T> pageOf(List<T> found, int limit, Function<T, String> cursor) {
        return found.size() <= limit
                ? new Page<>(List.copyOf(found), null)
                : new Page<>(List.copyOf(found.subList(0, limit)), cursor.apply(found.get(limit - 1)));
    }
}
