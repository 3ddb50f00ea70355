package lottery.saga.desk;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import org.jspecify.annotations.Nullable;

/** The end of a page: the values by which its list is ordered. Its text is opaque to callers. */
record DeskCursor(List<String> values) {

    private static final int TEXT_LENGTH_MAX = 1_000;
    /**
     * The latest time that is accepted. PostgreSQL would fail for a time beyond its range, instead of finding nothing.
     */
    private static final Instant TIME_MAX = Instant.parse("9999-12-31T00:00:00Z");

    private static final String BETWEEN = "\n";

    DeskCursor {
        values = List.copyOf(values);
    }

    static DeskCursor of(Object... values) {
        return new DeskCursor(List.of(values).stream().map(String::valueOf).toList());
    }

    String text() {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(String.join(BETWEEN, values).getBytes(UTF_8));
    }

    /**
     * Reads a cursor, which must have as many values as {@code first}.
     *
     * @param first the cursor of the first page, which a request without a cursor gets
     */
    static DeskCursor read(@Nullable String text, DeskCursor first) {
        if (text == null) {
            return first;
        }
        DeskCursor cursor = new DeskCursor(List.of(plain(text).split(BETWEEN, -1)));
        boolean isFit = cursor.values.size() == first.values.size()
                && cursor.values.stream().noneMatch(DeskCursor::hasControls);
        if (!isFit) {
            throw notOurs();
        }
        return cursor;
    }

    private static String plain(String text) {
        if (text.length() > TEXT_LENGTH_MAX) {
            throw notOurs();
        }
        try {
            return new String(Base64.getUrlDecoder().decode(text), UTF_8);
        } catch (IllegalArgumentException e) {
            throw notOurs();
        }
    }

    private static boolean hasControls(String value) {
        return value.codePoints().anyMatch(Character::isISOControl);
    }

    private static RefusedException notOurs() {
        return new RefusedException(Refusal.INVALID, "cursor");
    }

    String word(int index) {
        return values.get(index);
    }

    long number(int index) {
        try {
            long number = Long.parseLong(values.get(index));
            if (number < 0) {
                throw notOurs();
            }
            return number;
        } catch (NumberFormatException e) {
            throw notOurs();
        }
    }

    /** Returns the time in microseconds, which is the precision of PostgreSQL. */
    static long number(Instant time) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, time);
    }

    Instant time(int index) {
        Instant time = Instant.EPOCH.plus(number(index), ChronoUnit.MICROS);
        if (time.isAfter(TIME_MAX)) {
            throw notOurs();
        }
        return time;
    }
}
