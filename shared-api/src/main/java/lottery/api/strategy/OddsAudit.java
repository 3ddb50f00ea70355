package lottery.api.strategy;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import java.util.List;
import lottery.api.activity.ActivityId;
import org.jspecify.annotations.Nullable;

/**
 * What was promised beside what was drawn.
 *
 * @param confidence of the intervals: of so many awards that are drawn as promised, the interval has what was promised
 * @param versions of strategies that the activity was drawn by
 */
public record OddsAudit(ActivityId activityId, String confidence, List<AuditedVersion> versions) {

    /** What it comes to. */
    public enum OddsVerdict {
        AGREES,
        /** What was promised is not within the interval. One award in a thousand is here by chance. */
        DISAGREES,
        /** No draw of these can be compared. */
        NOTHING_TO_COMPARE
    }

    /**
     * One version.
     *
     * @param draws all that were made by it
     * @param compared those that say something of the odds: from the whole table, by a strategy without a tree of its
     *     own, for users who are not on the blacklist, and, in the mode OVERALL, while nothing was sold out
     */
    public record AuditedVersion(
            StrategyId strategyId, int version, long draws, long compared, List<AuditedShare> shares) {

        public AuditedVersion {
            shares = List.copyOf(shares);
        }
    }

    /**
     * Of one award, or of nothing.
     *
     * @param awardId none: nothing is won
     * @param promised the exact share of draws
     * @param compared of the draws that are compared those that could have won it: it was unlocked and not sold out
     * @param won of these
     * @param drawn the share that this is
     */
    public record AuditedShare(
            @Nullable Integer awardId,
            @Nullable String title,

            @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal promised,

            long compared,
            long won,

            @Nullable @JsonFormat(shape = JsonFormat.Shape.STRING)
            BigDecimal drawn,

            @Nullable AuditedInterval interval,
            OddsVerdict verdict) {}

    /** What the true share is within. */
    public record AuditedInterval(
            @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal low,
            @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal high) {}

    public OddsAudit {
        versions = List.copyOf(versions);
    }
}
