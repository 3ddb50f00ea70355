package lottery;

import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import org.jspecify.annotations.Nullable;

/**
 * A page of a list that is short enough to be read as a whole for each page.
 *
 * @param next the cursor of the next page; null on the last page
 */
public record ShortListPage<T>(List<T> items, @Nullable String next) {

    private static final int LIMIT_MAX = 100;

    public ShortListPage {
        items = List.copyOf(items);
    }

    /**
     * Returns the items after a given item.
     *
     * @param key returns the key of an item, by which the list is sorted
     * @param after the key of the last item of the page before
     */
    public static <T, K extends Comparable<K>> ShortListPage<T> after(
            @Nullable K after, int limit, Supplier<Stream<T>> all, Function<T, K> key) {
        if (limit < 1 || limit > LIMIT_MAX) {
            throw new RefusedException(Refusal.INVALID, "limit");
        }
        List<T> found = all.get()
                .filter(item -> after == null || key.apply(item).compareTo(after) > 0)
                .sorted(Comparator.comparing(key))
                .limit(limit + 1L)
                .toList();
        if (found.size() <= limit) {
            return new ShortListPage<>(found, null);
        }
        List<T> page = found.subList(0, limit);
        return new ShortListPage<>(page, key.apply(page.getLast()).toString());
    }
}
