package lottery.fulfilment.code;

import lottery.api.activity.ActivityId;
import lottery.messaging.invoice.Invoice;

/** The codes of one award in one activity. */
record CodePoolId(ActivityId activityId, int awardId) {

    static CodePoolId of(Invoice invoice) {
        return new CodePoolId(invoice.activityId(), invoice.award().awardId());
    }

    String text() {
        return "codes:" + activityId.value() + "/" + awardId;
    }
}
