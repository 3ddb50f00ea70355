package lottery.fulfilment.coupon;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardRecordId;
import lottery.messaging.invoice.Invoice;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The body of a call. It is the same in each attempt, so that a receiver that compares repetitions finds no difference.
 */
record CouponRequest(
        AwardRecordId awardRecordId,
        UserId userId,
        ActivityId activityId,
        Invoice.InvoicedAward award,
        Map<String, String> content,

        @Nullable @JsonFormat(shape = JsonFormat.Shape.STRING)
        BigDecimal amount) {

    private static final JsonMapper JSON = JsonMapper.builder()
            .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
            .build();

    static CouponRequest of(Invoice invoice) {
        return new CouponRequest(
                invoice.awardRecordId(),
                invoice.userId(),
                invoice.activityId(),
                invoice.award(),
                // The content is sorted, so that the text is the same each time.
                new TreeMap<>(invoice.content()),
                invoice.amount());
    }

    String json() {
        return JSON.writeValueAsString(this);
    }
}
