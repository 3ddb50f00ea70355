package lottery.fairness;

import lottery.api.activity.ActivityId;
import org.jspecify.annotations.Nullable;

/**
 * A round of an activity: the period from one start of the activity to the close after it.
 *
 * @param number 1 for the first start
 * @param commitment the SHA-256 of the seed, known from the start on
 * @param seed the seed of the round; null while it is secret
 */
public record SeedRound(
        ActivityId activityId,
        int number,
        String commitment,
        String sealedSeed,
        @Nullable String seed) {

    public SeedRound published(String seed) {
        return new SeedRound(activityId, number, commitment, sealedSeed, seed);
    }

    public boolean isPublished() {
        return seed != null;
    }

    /** Returns the name that a sealed seed is bound to, for example {@code activity:100#1}. */
    public static String nameOf(ActivityId activityId, int number) {
        return activityId.text() + "#" + number;
    }

    String name() {
        return nameOf(activityId, number);
    }
}
