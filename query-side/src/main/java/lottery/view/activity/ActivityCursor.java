package lottery.view.activity;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Base64;
import java.util.Optional;

/** The activity that a page ended with. Its text is for us alone to read. */
record ActivityCursor(long activityId) {

    String text() {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(Long.toString(activityId).getBytes(US_ASCII));
    }

    /** Empty if the text is not one of ours. */
    static Optional<ActivityCursor> of(String text) {
        try {
            long activityId = Long.parseLong(new String(Base64.getUrlDecoder().decode(text), US_ASCII));
            return activityId <= 0 ? Optional.empty() : Optional.of(new ActivityCursor(activityId));
        } catch (IllegalArgumentException notOurs) {
            return Optional.empty();
        }
    }
}
