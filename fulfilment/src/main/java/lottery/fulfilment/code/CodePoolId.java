package lottery.fulfilment.code;

import java.sql.ResultSet;
import java.sql.SQLException;
import lottery.api.activity.ActivityId;
import lottery.messaging.invoice.Invoice;

/** Identifies the codes of one award in one activity. */
record CodePoolId(ActivityId activityId, int awardId) {

    static CodePoolId of(Invoice invoice) {
        return new CodePoolId(invoice.activityId(), invoice.award().awardId());
    }

    static CodePoolId in(ResultSet row) throws SQLException {
        return new CodePoolId(new ActivityId(row.getLong("activity_id")), row.getInt("award_id"));
    }

    String text() {
        return "codes:" + activityId.value() + "/" + awardId;
    }
}
