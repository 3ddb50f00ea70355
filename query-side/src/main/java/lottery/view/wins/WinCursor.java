package lottery.view.wins;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Optional;
import lottery.api.award.AwardRecordId;

/**
 * A cursor in a list of wins: the last win of a page. Its text is opaque to callers.
 *
 * @param wonAt the time of the win in microseconds, the precision of PostgreSQL
 */
record WinCursor(Instant wonAt, AwardRecordId awardRecordId) {

    private static final char BETWEEN = '.';

    String text() {
        String plain = ChronoUnit.MICROS.between(Instant.EPOCH, wonAt) + String.valueOf(BETWEEN) + awardRecordId.text();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(plain.getBytes(UTF_8));
    }

    /** Reads a cursor; empty if the text is no cursor. */
    static Optional<WinCursor> of(String text) {
        try {
            String plain = new String(Base64.getUrlDecoder().decode(text), UTF_8);
            int between = plain.indexOf(BETWEEN);
            // Negative numbers are refused, because for a time far in the past PostgreSQL would fail instead of finding
            // nothing.
            long micros = between < 0 ? -1 : Long.parseLong(plain.substring(0, between));
            return micros < 0
                    ? Optional.empty()
                    : Optional.of(new WinCursor(
                            Instant.EPOCH.plus(micros, ChronoUnit.MICROS),
                            AwardRecordId.of(plain.substring(between + 1))));
        } catch (IllegalArgumentException notOurs) {
            return Optional.empty();
        }
    }
}
