package lottery.journey.desk;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import org.jspecify.annotations.Nullable;

/** Where a page ended: the values by which its list is ordered. Its text is for us alone to read. */
record DeskCursor(List<String> values) {

    private static final int TEXT_LENGTH_MAX = 1_000;
    /** PostgreSQL knows no time long after ours, and would fail instead of finding nothing. */
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
     * A cursor of ours, which has so many values.
     *
     * @param first where the first page begins, which has no cursor
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

    /** In microseconds, as PostgreSQL keeps it. */
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
