package lottery.view.reconciliation;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Base64;
import java.util.Optional;

/** A cursor in the list of differences: the last difference of a page. Its text is opaque to callers. */
record DifferenceCursor(LocalDate day, String provider, String tradeNo, StatementKind kind) {

    /** Neither a provider nor a trade number has a blank. */
    private static final String BETWEEN = " ";

    /** The cursor before the first page. */
    static final DifferenceCursor FIRST =
            new DifferenceCursor(LocalDate.of(9999, 12, 31), "~", "", StatementKind.TAKEN);

    String text() {
        String plain = String.join(BETWEEN, day.toString(), provider, tradeNo, kind.name());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(plain.getBytes(US_ASCII));
    }

    /** Reads a cursor; empty if the text is no cursor. */
    static Optional<DifferenceCursor> of(String text) {
        try {
            String[] parts = new String(Base64.getUrlDecoder().decode(text), US_ASCII).split(BETWEEN, -1);
            return parts.length == 4 && parts[0].matches("[0-9]{4}-[0-9]{2}-[0-9]{2}")
                    ? Optional.of(new DifferenceCursor(
                            LocalDate.parse(parts[0]), parts[1], parts[2], StatementKind.valueOf(parts[3])))
                    : Optional.empty();
        } catch (IllegalArgumentException | DateTimeException notOurs) {
            return Optional.empty();
        }
    }
}
