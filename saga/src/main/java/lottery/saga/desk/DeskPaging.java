package lottery.saga.desk;

import java.util.List;
import java.util.function.Function;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import org.jspecify.annotations.Nullable;

/** Checks the parameters of all lists of the desk. */
final class DeskPaging {

    private static final int LIMIT_MAX = 100;

    /** The pattern of the names of processors and saga types. */
    private static final String NAME = "[A-Za-z0-9._:-]{1,200}";

    private DeskPaging() {}

    /** A page. To know whether there is a next page, one more item is read than is shown. */
    record Page<T>(List<T> items, @Nullable String next) {

        static <T> Page<T> of(List<T> found, int limit, Function<T, DeskCursor> end) {
            return found.size() <= limit
                    ? new Page<>(found, null)
                    : new Page<>(
                            List.copyOf(found.subList(0, limit)),
                            end.apply(found.get(limit - 1)).text());
        }

        <S> List<S> each(Function<T, S> shown) {
            return items.stream().map(shown).toList();
        }
    }

    static int checked(int limit) {
        if (limit < 1 || limit > LIMIT_MAX) {
            throw new RefusedException(Refusal.INVALID, "limit");
        }
        return limit;
    }

    /**
     * Returns whether a text can be a name. Other texts are not looked up, because the database would refuse some of
     * them.
     */
    static boolean isName(String text) {
        return text.matches(NAME);
    }
}
