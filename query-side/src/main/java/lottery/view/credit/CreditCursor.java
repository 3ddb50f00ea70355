package lottery.view.credit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The last booking of a page. Its text is opaque to callers.
 *
 * @param entry counts the user's bookings from 1
 */
record CreditCursor(long entry) {

    /** Has no more digits than any number of bookings. */
    private static final Pattern PLAIN = Pattern.compile("entry\\.([1-9][0-9]{0,17})");

    /** The cursor before the first page, higher than any booking. */
    static final CreditCursor NEWEST = new CreditCursor(Long.MAX_VALUE);

    String text() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(("entry." + entry).getBytes(UTF_8));
    }

    /** Reads a cursor; empty if the text is none. */
    static Optional<CreditCursor> of(String text) {
        try {
            return Optional.of(new String(Base64.getUrlDecoder().decode(text), UTF_8))
                    .map(PLAIN::matcher)
                    .filter(plain -> plain.matches())
                    .map(plain -> new CreditCursor(Long.parseLong(plain.group(1))));
        } catch (IllegalArgumentException notOurs) {
            return Optional.empty();
        }
    }
}
