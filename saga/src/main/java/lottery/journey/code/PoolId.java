package lottery.journey.code;

import lottery.api.activity.ActivityId;
import lottery.journey.grant.Invoice;

/** The codes of one award in one activity. */
record PoolId(ActivityId activityId, int awardId) {

    static PoolId of(Invoice invoice) {
        return new PoolId(invoice.activityId(), invoice.award().awardId());
    }

    String text() {
        return "codes:" + activityId.value() + "/" + awardId;
    }
}
