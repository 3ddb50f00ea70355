package lottery.rebate;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import java.util.List;
import lottery.api.activity.ActivityId;
import lottery.api.activity.SkuId;
import lottery.api.rebate.BehaviourProgress;
import lottery.api.rebate.Rebate;
import lottery.api.rebate.Rebate.RebateKind;
import lottery.api.rebate.RebateProgress;
import lottery.api.rebate.RebateRuleId;
import lottery.api.rebate.RebateState;
import org.jspecify.annotations.Nullable;

/**
 * A rebate in an answer.
 *
 * @param index the place of the rebate in its rule, from 0
 * @param reason why it was refused; null if it was not refused
 */
public record RebateReply(
        RebateRuleId ruleId,
        int index,
        RebateKind kind,
        @Nullable ActivityId activityId,
        @Nullable SkuId sku,

        @Nullable @JsonFormat(shape = JsonFormat.Shape.STRING)
        BigDecimal amount,

        RebateState state,
        @Nullable String reason) {

    /** Returns all rebates of a behaviour. */
    public static List<RebateReply> all(BehaviourProgress behaviour) {
        return behaviour.rebates().stream().map(RebateReply::of).toList();
    }

    private static RebateReply of(RebateProgress progress) {
        Rebate rebate = progress.rebate();
        return new RebateReply(
                progress.ruleId(),
                progress.index(),
                rebate.kind(),
                rebate.activityId(),
                rebate.sku(),
                rebate.amount(),
                progress.state(),
                progress.reason());
    }
}
