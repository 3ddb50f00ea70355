package lottery.view.activity;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Base64;
import java.util.Optional;

/** The last activity of a page. Its text is opaque to callers. */
record ActivityCursor(long activityId) {

    String text() {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(Long.toString(activityId).getBytes(US_ASCII));
    }

    /** Reads a cursor; empty if the text is none. */
    static Optional<ActivityCursor> of(String text) {
        try {
            long activityId = Long.parseLong(new String(Base64.getUrlDecoder().decode(text), US_ASCII));
            return activityId <= 0 ? Optional.empty() : Optional.of(new ActivityCursor(activityId));
        } catch (IllegalArgumentException notOurs) {
            return Optional.empty();
        }
    }
}
