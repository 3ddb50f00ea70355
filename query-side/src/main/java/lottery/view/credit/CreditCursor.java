package lottery.view.credit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The booking that a page ended with. Its text is for us alone to read.
 *
 * @param entry counts the user's bookings from 1
 */
record CreditCursor(long entry) {

    /** No longer than any number of bookings. */
    private static final Pattern PLAIN = Pattern.compile("entry\\.([1-9][0-9]{0,17})");

    /** Before the first page, which ends with no booking that there will ever be. */
    static final CreditCursor NEWEST = new CreditCursor(Long.MAX_VALUE);

    String text() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(("entry." + entry).getBytes(UTF_8));
    }

    /** Empty if the text is not one of ours. */
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
