package lottery.api.strategy;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One award of a strategy.
 *
 * @param config the data that fulfilment needs; for example, a TEXT award has its {@code text} in it, and a COUPON
 *     award the {@code url} of its webhook
 * @param amount the amount of the award that a draw wins, if it varies
 * @param rate the exact share of draws that win it
 * @param stock how often it can be won in an activity, counted from the first version that has a stock; null if there
 *     is no limit
 * @param sort its place on the wheel
 * @param lockedUntilDraws how many draws a user must have made on a day before a draw can win it; 0 for none
 * @param grant when it is handed over; if that is the end of the activity, the time is not filled in yet
 * @param onFailure the remedy if it cannot be handed over
 * @param cost the cost of one unit for the payer of the activity; null if it costs nothing
 * @param maxPerUser how often one user can win it in an activity, counted from the first version that has such a limit;
 *     null if there is no limit
 */
public record AwardDefinition(
        int awardId,
        String title,
        @Nullable String subtitle,
        AwardType type,
        Map<String, String> config,
        @Nullable AmountRange amount,
        @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal rate,
        @Nullable Integer stock,
        int sort,
        int lockedUntilDraws,
        GrantTime grant,
        Remedy onFailure,

        @Nullable @JsonFormat(shape = JsonFormat.Shape.STRING)
        BigDecimal cost,

        @Nullable Integer maxPerUser) {

    public static final int PER_USER_MAX = 10_000;

    public AwardDefinition {
        config = Map.copyOf(config);
        Objects.requireNonNull(grant);
        Objects.requireNonNull(onFailure);
    }

    /** Begins an award. Its place on the wheel is its number, unless another is given. */
    public static AwardDefinitionBuilder of(int awardId, String title, AwardType type, BigDecimal rate) {
        return new AwardDefinitionBuilder(awardId, title, type, rate);
    }

    /**
     * Returns what a win costs. If the amount of the award varies, {@link #cost} is the cost of one, and is multiplied
     * by the drawn amount.
     */
    public BigDecimal costOf(@Nullable BigDecimal drawn) {
        if (cost == null) {
            return BigDecimal.ZERO;
        }
        return drawn == null ? cost : cost.multiply(drawn);
    }

    /** Begins an award that equals this one, except for what is changed. */
    public AwardDefinitionBuilder but() {
        return new AwardDefinitionBuilder(this);
    }
}
