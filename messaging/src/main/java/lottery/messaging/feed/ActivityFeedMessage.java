package lottery.messaging.feed;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneId;
import lottery.api.activity.ActivityId;

/** Messages about an activity. */
sealed interface ActivityFeedMessage extends FeedMessage {

    ActivityId activityId();

    @Override
    default String key() {
        return Long.toString(activityId().value());
    }

    @Override
    default String subject() {
        return activityId().text();
    }

    /**
     * A round has begun. Draws are possible from now on, between the two dates of the activity.
     *
     * @param round 1 for the first start, and one more for each later start
     * @param commitment the SHA-256 of the seed's 32 bytes, in hex
     * @param strategyVersion the version of the strategy that decides the draws of the round
     * @param strategyHash the SHA-256 of that version's definition, in hex
     * @param roundCommitment the SHA-256, in hex, that binds commitment, activity, round, version and hash
     */
    @CloudEventType("lottery.activity.started.v1")
    record Started(
            ActivityId activityId,
            String name,
            Instant beginsAt,
            Instant endsAt,
            ZoneId zone,
            int round,
            String commitment,
            int strategyVersion,
            String strategyHash,
            String roundCommitment)
            implements ActivityFeedMessage {}

    /**
     * From now on, another version of the strategy decides the draws of this round.
     *
     * @param commitment the SHA-256 of the seed's 32 bytes, in hex, as at the start of the round
     * @param strategyHash the SHA-256 of the version's definition, in hex
     * @param roundCommitment the SHA-256, in hex, that binds commitment, activity, round, version and hash
     */
    @CloudEventType("lottery.activity.strategy-adopted.v1")
    record StrategyAdopted(
            ActivityId activityId,
            int round,
            String commitment,
            int strategyVersion,
            String strategyHash,
            String roundCommitment)
            implements ActivityFeedMessage {}

    /** The round has ended. */
    @CloudEventType("lottery.activity.closed.v1")
    record Closed(
            ActivityId activityId,
            String name,
            Instant beginsAt,
            Instant endsAt,
            ZoneId zone,
            int round,
            String commitment)
            implements ActivityFeedMessage {}

    /**
     * The stock of an award has reached a step: 95, 90, … 0 percent of it are left. If a win reaches several steps at
     * once, only the lowest step is reported.
     *
     * @param stock the number of units in the version of the strategy that decided the win
     * @param left the units that were left after the win
     * @param percent the step: at most this percentage of the stock was left
     */
    @CloudEventType("lottery.activity.stock.v1")
    record StockFell(ActivityId activityId, int awardId, String title, int stock, int left, int percent)
            implements ActivityFeedMessage {}

    /**
     * The budget has reached a step: 5, 10, … 100 percent of it are spent. If a win reaches several steps at once, only
     * the highest step is reported.
     *
     * @param amount the budget by which the draw was decided
     * @param spent how much of it was spent after the win
     * @param percent the step: at least this percentage was spent
     */
    @CloudEventType("lottery.activity.budget.v1")
    record BudgetSpent(
            ActivityId activityId,
            @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal amount,
            @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal spent,
            int percent)
            implements ActivityFeedMessage {}

    /**
     * The last unit of an award was won. A unit may be returned later and won again.
     *
     * @param stock the number of units in the version of the strategy that decided the win
     */
    @CloudEventType("lottery.award.sold-out.v1")
    record AwardSoldOut(ActivityId activityId, int awardId, String title, int stock) implements ActivityFeedMessage {}

    /**
     * The seed of an ended round was published, so that everyone can verify its draws.
     *
     * @param seed the 32 bytes of the seed, in hex
     */
    @CloudEventType("lottery.activity.seed-published.v1")
    record SeedPublished(ActivityId activityId, int round, String seed) implements ActivityFeedMessage {}
}
