package lottery.api.strategy;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import java.util.List;
import lottery.api.activity.ActivityId;
import org.jspecify.annotations.Nullable;

/**
 * Compares the published odds of an activity with its draws.
 *
 * @param confidence the probability that the interval of an award contains the promised share, if the award is drawn as
 *     promised
 * @param versions the versions of strategies that the activity was drawn by
 */
public record OddsAudit(ActivityId activityId, String confidence, List<AuditedVersion> versions) {

    /** The result of a comparison. */
    public enum OddsVerdict {
        AGREES,
        /**
         * The promised share is not within the interval. Even with correct draws, this happens by chance to one award
         * in a thousand.
         */
        DISAGREES,
        /** None of these draws can be compared. */
        NOTHING_TO_COMPARE
    }

    /**
     * The audit of one version of a strategy.
     *
     * @param draws all draws that were made by this version
     * @param compared how many of these draws say something about the odds. Such a draw was made from the whole table,
     *     without a tree of the strategy's own, and for a user who is not on the blacklist. In the mode OVERALL, no
     *     award was sold out at that draw.
     */
    public record AuditedVersion(
            StrategyId strategyId, int version, long draws, long compared, List<AuditedShare> shares) {

        public AuditedVersion {
            shares = List.copyOf(shares);
        }
    }

    /**
     * The audit of one award, or of the draws that win nothing.
     *
     * @param awardId the award; null for the draws that win nothing
     * @param promised the exact share of draws by the published odds
     * @param compared how many of the compared draws could have won it, because it was unlocked and not sold out
     * @param won how many of these draws have won it
     * @param drawn the drawn share, which is {@code won} divided by {@code compared}
     */
    public record AuditedShare(
            @Nullable Integer awardId,
            @Nullable String title,

            @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal promised,

            long compared,
            long won,

            @Nullable @JsonFormat(shape = JsonFormat.Shape.STRING)
            BigDecimal drawn,

            @Nullable ConfidenceInterval interval,
            OddsVerdict verdict) {}

    /** The interval that contains the true share. */
    public record ConfidenceInterval(
            @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal low,
            @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal high) {}

    public OddsAudit {
        versions = List.copyOf(versions);
    }
}
