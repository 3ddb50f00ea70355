package lottery.api.payment;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import lottery.api.AggregateId;
import lottery.api.ShardedUuid;
import lottery.api.UserId;
import lottery.api.account.RechargeId;

/** The id of a payment. It is derived from the user and the business number, so that the same request pays once. */
public record PaymentId(ShardedUuid key) implements AggregateId {

    private static final String PREFIX = "payment:";

    /** The pattern of the beginning of each id. */
    public static final String BEGINNING = PREFIX + "[0-3][0-9a-f]-";

    private static final Pattern NUMBER =
            Pattern.compile("([0-3][0-9a-f])([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})");

    public static PaymentId of(UserId user, String outBusinessNo) {
        return new PaymentId(ShardedUuid.derived(user, PREFIX, outBusinessNo));
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static PaymentId of(String text) {
        return new PaymentId(ShardedUuid.after(PREFIX, text));
    }

    /** Returns whether a business number is the id of a payment. */
    public static boolean isId(String outBusinessNo) {
        return outBusinessNo.matches(BEGINNING + "(?s:.*)");
    }

    /** Returns the payment with this number at providers; empty if it is the number of no payment. */
    public static Optional<PaymentId> ofNumber(String number) {
        Matcher parts = NUMBER.matcher(number);
        return parts.matches()
                ? Optional.of(new PaymentId(new ShardedUuid(parts.replaceFirst("$1-$2-$3-$4-$5-$6"))))
                : Optional.empty();
    }

    /** Returns the number of the payment at providers, which has letters and digits only. */
    public String number() {
        return key.value().replace("-", "");
    }

    /** Returns the recharge that keeps a unit of the SKU for this payment. Its business number is this id. */
    public RechargeId rechargeOf(UserId user) {
        return RechargeId.of(user, text());
    }

    @Override
    @JsonValue
    public String text() {
        return PREFIX + key;
    }

    @Override
    public String toString() {
        return text();
    }
}
