package lottery.view;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The last item of a page, in a list that is ordered by a number, the highest first. The text of the cursor is opaque
 * to callers.
 *
 * @param number the number of that item, at least 1
 */
public record PageCursor(long number) {

    /** The pattern of a cursor. Callers choose the numbers of activities, which may have as many digits as a long. */
    private static final Pattern PLAIN = Pattern.compile("[1-9][0-9]{0,18}");

    /** The cursor before the first page, higher than any number. */
    private static final PageCursor FIRST = new PageCursor(Long.MAX_VALUE);

    public String text() {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(Long.toString(number).getBytes(US_ASCII));
    }

    /**
     * Reads a cursor; empty if the text is no cursor. If there is no text, it returns the cursor before the first page.
     */
    public static Optional<PageCursor> of(@Nullable String text) {
        if (text == null) {
            return Optional.of(FIRST);
        }
        try {
            return Optional.of(new String(Base64.getUrlDecoder().decode(text), US_ASCII))
                    .filter(plain -> PLAIN.matcher(plain).matches())
                    .map(plain -> new PageCursor(Long.parseLong(plain)));
        } catch (IllegalArgumentException notOurs) {
            return Optional.empty();
        }
    }

    /** Returns the number below which a page begins. The cursor was checked before. */
    public static long below(@Nullable String text) {
        return of(text).orElseThrow(() -> new IllegalArgumentException("not a cursor"))
                .number();
    }
}
