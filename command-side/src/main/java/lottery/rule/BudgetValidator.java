package lottery.rule;

import static java.util.stream.Collectors.joining;
import static lottery.api.SubmissionFlaw.FlawKind.BUDGET_SUBSTITUTE;
import static lottery.api.SubmissionFlaw.FlawKind.BUDGET_TOO_SMALL;
import static lottery.api.SubmissionFlaw.FlawKind.BUDGET_UNFIT;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import lottery.api.SubmissionFlaw;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.Budget;
import lottery.api.strategy.AmountRange;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.Remedy;

/** Checks the budget of an activity. */
public final class BudgetValidator {

    private BudgetValidator() {}

    /**
     * Returns the flaw if the budget of a day is larger than the whole budget, or if the activity draws its entries
     * together. All awards of such a draw are given, so its cost is known before.
     */
    public static Optional<SubmissionFlaw> unfit(ActivityDefinition activity) {
        Budget budget = activity.budget();
        boolean fits =
                budget == null || (activity.draw() == null && perDay(budget).compareTo(budget.amount()) <= 0);
        return fits ? Optional.empty() : Optional.of(new SubmissionFlaw("/budget", BUDGET_UNFIT));
    }

    /**
     * Returns why the budget does not fit the awards: an award costs more than the budget, or less than its substitute,
     * which is paid from its share.
     */
    public static List<SubmissionFlaw> unfitAwards(ActivityDefinition activity, CompiledStrategy rules) {
        Budget budget = activity.budget();
        if (budget == null) {
            return List.of();
        }
        List<SubmissionFlaw> flaws = new ArrayList<>();
        long limit = Budget.units(perDay(budget));
        String tooDear = named(rules, award -> rules.mostCosts().getOrDefault(award.awardId(), 0L) > limit);
        if (!tooDear.isEmpty()) {
            flaws.add(new SubmissionFlaw("/budget", BUDGET_TOO_SMALL, tooDear));
        }
        Integer fallback = rules.definition().fallback();
        long substitute = fallback == null ? 0 : rules.mostCosts().getOrDefault(fallback, 0L);
        String tooCheap = named(
                rules, award -> award.onFailure() == Remedy.SUBSTITUTE && Budget.units(leastCost(award)) < substitute);
        if (!tooCheap.isEmpty()) {
            flaws.add(new SubmissionFlaw("/strategyId", BUDGET_SUBSTITUTE, tooCheap));
        }
        return flaws;
    }

    private static BigDecimal perDay(Budget budget) {
        return Objects.requireNonNullElse(budget.perDay(), budget.amount());
    }

    private static BigDecimal leastCost(AwardDefinition award) {
        AmountRange range = award.amount();
        return award.costOf(range == null ? null : range.min());
    }

    private static String named(CompiledStrategy rules, Predicate<AwardDefinition> unfit) {
        return rules.definition().awards().stream()
                .filter(unfit)
                .map(award -> Integer.toString(award.awardId()))
                .collect(joining(", "));
    }
}
