package lottery.rebate;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import lottery.activity.ActivityProgress;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.SubmissionFlaw;
import lottery.api.SubmissionFlaw.FlawKind;
import lottery.api.activity.ActivityId;
import lottery.api.activity.SkuId;
import lottery.api.activity.SkuOffer;
import lottery.api.rebate.Rebate;
import lottery.api.rebate.RebateRuleDefinition;
import lottery.api.rebate.RebateRuleId;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a rule can give its rebates. The SKUs of the rebates must exist and have no price in credits. Only a rule
 * for sign-ins may have a streak.
 */
final class RebateRuleValidator {

    private RebateRuleValidator() {}

    /** @throws RefusedException if the rule cannot give its rebates */
    static void requireFit(
            RebateRuleId ruleId, RebateRuleDefinition rule, Function<ActivityId, Answer<ActivityProgress>> activities) {
        List<SubmissionFlaw> findings = findings(rule, activities);
        if (!findings.isEmpty()) {
            throw new RefusedException(new Refused(Refusal.INVALID, ruleId.text(), findings));
        }
    }

    /** A rule that is closed pays nothing. So it is not checked against activities, which may no longer exist. */
    static List<SubmissionFlaw> findings(
            RebateRuleDefinition rule, Function<ActivityId, Answer<ActivityProgress>> activities) {
        List<SubmissionFlaw> findings = new ArrayList<>();
        if (rule.streak() != null && !rule.behaviour().equals(RebateRuleDefinition.SIGN)) {
            findings.add(new SubmissionFlaw("/streak", FlawKind.STREAK_WITHOUT_SIGN_IN, rule.behaviour()));
        }
        if (rule.state() == RebateRuleDefinition.RebateRuleState.OPEN) {
            for (int i = 0; i < rule.rebates().size(); i++) {
                SubmissionFlaw finding = findingOf(rule.rebates().get(i), "/rebates/" + i, activities);
                if (finding != null) {
                    findings.add(finding);
                }
            }
        }
        return findings;
    }

    private static @Nullable SubmissionFlaw findingOf(
            Rebate rebate, String pointer, Function<ActivityId, Answer<ActivityProgress>> activities) {
        ActivityId activityId = rebate.activityId();
        SkuId sku = rebate.sku();
        if (activityId == null || sku == null) {
            return null;
        }
        return switch (activities.apply(activityId)) {
            case Answer.No<ActivityProgress> _ ->
                new SubmissionFlaw(
                        pointer + "/activityId", FlawKind.ACTIVITY_UNKNOWN, Long.toString(activityId.value()));
            case Answer.Done<ActivityProgress>(ActivityProgress activity) ->
                switch (activity.offerOf(sku)) {
                    case Answer.No<SkuOffer> _ ->
                        new SubmissionFlaw(pointer + "/sku", FlawKind.SKU_UNKNOWN, Long.toString(sku.value()));
                    case Answer.Done<SkuOffer>(SkuOffer offer) ->
                        offer.hasPrice()
                                ? new SubmissionFlaw(pointer + "/sku", FlawKind.SKU_PRICED, Long.toString(sku.value()))
                                : null;
                };
        };
    }
}
