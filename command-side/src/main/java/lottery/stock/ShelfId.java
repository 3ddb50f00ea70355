package lottery.stock;

import lottery.api.activity.ActivityId;
import lottery.api.activity.Sku;

/**
 * A shelf: something that there is only so much of in an activity.
 *
 * @param scope of the claims to its slots
 */
public record ShelfId(String scope) {

    /** The claims of a shelf may all be read at once, which takes a second or so for the largest one. */
    public static final int TOTAL_MAX = 1_000_000;

    public static ShelfId ofAward(ActivityId activityId, int awardId) {
        return new ShelfId("stock:%d/%d".formatted(activityId.value(), awardId));
    }

    public static ShelfId ofSku(ActivityId activityId, Sku sku) {
        return new ShelfId("sku:%d/%d".formatted(activityId.value(), sku.value()));
    }

    /** The chances that can be spent in it. */
    public static ShelfId ofParticipations(ActivityId activityId) {
        return new ShelfId("participations:%d".formatted(activityId.value()));
    }
}
