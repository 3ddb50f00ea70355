package lottery.rebate;

import com.fasterxml.jackson.annotation.JsonFormat;
import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.Digits;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.IntStream;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.SubmissionFlaw;
import lottery.api.activity.ActivityId;
import lottery.api.activity.SkuId;
import lottery.api.credit.CreditAmount;
import lottery.api.rebate.Rebate;
import lottery.api.rebate.Rebate.RebateKind;
import lottery.api.rebate.RebateLimit;
import lottery.api.rebate.RebateLimit.RebatePeriod;
import lottery.api.rebate.RebateRuleDefinition;
import lottery.api.rebate.RebateRuleDefinition.RebateRuleState;
import org.jspecify.annotations.Nullable;

/** The definition of a rebate rule in a request. */
record RebateRuleDefinitionRequest(
        @NotNull @Pattern(regexp = RebateRuleDefinition.BEHAVIOUR)
        String behaviour,

        @NotEmpty @Size(max = RebateRuleDefinition.REBATES_MAX)
        List<@NotNull @Valid RebateForm> rebates,

        @Nullable @Valid RebateLimitForm limit,

        @Nullable @Positive @Max(RebateRuleDefinition.STREAK_MAX)
        Integer streak,

        @NotNull RebateRuleState state) {

    /** A SKU with its activity, or an amount of credits. */
    record RebateForm(
            @NotNull RebateKind kind,
            @Nullable @Positive Long activityId,
            @Nullable @Positive Long sku,

            @Nullable
            @Positive
            @Digits(integer = 12, fraction = 6)
            @DecimalMax(CreditAmount.MOST)
            @JsonFormat(shape = JsonFormat.Shape.STRING)
            BigDecimal amount) {

        private boolean isFit() {
            return switch (kind) {
                case SKU -> activityId != null && sku != null && amount == null;
                case CREDIT -> activityId == null && sku == null && amount != null;
            };
        }

        Rebate rebate() {
            if (activityId != null && sku != null) {
                return Rebate.ofSku(new ActivityId(activityId), new SkuId(sku));
            }
            return new Rebate(kind, null, null, amount);
        }
    }

    record RebateLimitForm(
            @NotNull @Positive @Max(RebateLimit.COUNT_MAX) Integer count,
            @NotNull RebatePeriod period) {

        RebateLimit limit() {
            return new RebateLimit(count, period);
        }
    }

    /**
     * Returns the definition that the request describes.
     *
     * @throws RefusedException if a rebate has fields that do not fit its kind
     */
    RebateRuleDefinition definition() {
        List<SubmissionFlaw> findings = IntStream.range(0, rebates.size())
                .filter(i -> !rebates.get(i).isFit())
                .mapToObj(i -> new SubmissionFlaw("/rebates/" + i, SubmissionFlaw.FlawKind.REBATE_UNFIT))
                .toList();
        if (!findings.isEmpty()) {
            throw new RefusedException(new Refused(Refusal.INVALID, "rebates", findings));
        }
        return new RebateRuleDefinition(
                behaviour,
                rebates.stream().map(RebateForm::rebate).toList(),
                limit == null ? null : limit.limit(),
                streak,
                state);
    }
}
