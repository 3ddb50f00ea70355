package lottery.journey.desk;

import java.util.List;
import java.util.function.Function;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import org.jspecify.annotations.Nullable;

/** Checks the parameters of all lists of the desk. */
final class DeskPaging {

    private static final int LIMIT_MAX = 100;

    /** Names of processors and of kinds of journeys have no others. */
    private static final String NAME = "[A-Za-z0-9._:-]{1,200}";

    private DeskPaging() {}

    /** What comes of a list that was asked for one more than is wanted: that tells whether there is a next page. */
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

    /** What cannot be a name is not looked up: the database would not even take some of it. */
    static boolean isName(String text) {
        return text.matches(NAME);
    }
}
