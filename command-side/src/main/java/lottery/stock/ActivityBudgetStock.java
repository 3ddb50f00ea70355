package lottery.stock;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import lottery.activity.DrawableActivity;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.activity.ActivityId;
import lottery.api.activity.Budget;
import lottery.api.activity.Budget.OnReached;
import lottery.api.activity.StockId;
import lottery.api.award.BudgetShare;
import lottery.api.strategy.AwardDefinition;
import lottery.rule.CompiledStrategy;
import org.axonframework.modelling.command.ConcurrencyException;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * The budgets of activities. A win takes the cost of its award from the budget, in the same commit. So a budget cannot
 * be exceeded.
 *
 * <p>Whether a draw can win an award must not depend on the ticket of the draw. So if the amount of an award varies,
 * the draw needs enough for the largest amount.
 */
@Component
public record ActivityBudgetStock(StockUnitSource stock) {

    /** The limit of a budget, in its smallest units. */
    private record BudgetLimit(StockId stockId, long total) {}

    /**
     * Returns the awards that cost more than is left, in ascending order, as far as this process knows. If the budget
     * pauses draws instead, there are none.
     */
    public List<Integer> over(DrawableActivity activity, CompiledStrategy rules) {
        Budget budget = activity.progress().definition().budget();
        if (budget == null || budget.onReached() == OnReached.PAUSE) {
            return List.of();
        }
        List<BudgetLimit> limits = limits(activity, budget);
        List<Integer> over = new ArrayList<>();
        rules.mostCosts().forEach((awardId, most) -> {
            if (isShort(limits, most)) {
                over.add(awardId);
            }
        });
        return over;
    }

    /** Requires that the budget does not pause the draws now. */
    public Answer<DrawableActivity> requireOpen(DrawableActivity activity, CompiledStrategy rules) {
        Budget budget = activity.progress().definition().budget();
        return budget != null
                        && budget.onReached() == OnReached.PAUSE
                        && isShort(limits(activity, budget), rules.mostCost())
                ? Answer.no(new Refused(
                        Refusal.BUDGET_REACHED, activity.progress().activityId().text()))
                : Answer.done(activity);
    }

    /**
     * Takes the cost of a draw, and returns what its win takes; null if that is nothing. If the budget pauses draws,
     * every draw requires that enough is left for the most expensive award.
     *
     * @param award the award that the draw wins, if any
     * @param amount the drawn amount, if the amount of the award varies
     * @throws ConcurrencyException if this process has learned since the decision that too little is left: the command
     *     is decided again
     */
    public @Nullable BudgetShare take(
            DrawableActivity activity,
            CompiledStrategy rules,
            @Nullable AwardDefinition award,
            @Nullable BigDecimal amount) {
        Budget budget = activity.progress().definition().budget();
        if (budget == null) {
            return null;
        }
        long cost = award == null ? 0 : Budget.units(award.costOf(amount));
        long least = budget.onReached() == OnReached.PAUSE
                ? rules.mostCost()
                : award == null ? 0 : rules.mostCosts().getOrDefault(award.awardId(), 0L);
        if (least == 0) {
            return null;
        }
        for (BudgetLimit limit : limits(activity, budget)) {
            if (!stock.take(limit.stockId(), cost, least, limit.total())) {
                throw new ConcurrencyException("too little is left of " + limit.stockId() + " since the decision");
            }
        }
        LocalDate day = budget.perDay() == null ? null : activity.day();
        return cost == 0 ? null : new BudgetShare(Budget.amountOf(cost), budget.amount(), day);
    }

    /**
     * Gives back what a win has taken.
     *
     * @param kept how much of it is not given back, because the substitute of the award costs it
     */
    public static void giveBack(StockUnitSource stock, ActivityId activityId, BudgetShare share, BigDecimal kept) {
        long units = Budget.units(share.amount()) - Budget.units(kept);
        if (units > 0) {
            stock.giveBack(StockId.ofBudget(activityId), units);
            LocalDate day = share.day();
            if (day != null) {
                stock.giveBack(StockId.ofBudget(activityId, day), units);
            }
        }
    }

    private boolean isShort(List<BudgetLimit> limits, long units) {
        return limits.stream().anyMatch(limit -> stock.isShort(limit.stockId(), units, limit.total()));
    }

    private static List<BudgetLimit> limits(DrawableActivity activity, Budget budget) {
        ActivityId activityId = activity.progress().activityId();
        BudgetLimit whole = new BudgetLimit(StockId.ofBudget(activityId), Budget.units(budget.amount()));
        BigDecimal perDay = budget.perDay();
        return perDay == null
                ? List.of(whole)
                : List.of(whole, new BudgetLimit(StockId.ofBudget(activityId, activity.day()), Budget.units(perDay)));
    }
}
