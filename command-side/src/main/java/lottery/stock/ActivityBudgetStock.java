package lottery.stock;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import lottery.activity.DrawableActivity;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.activity.ActivityId;
import lottery.api.activity.Budget;
import lottery.api.activity.Budget.OnReached;
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

    /**
     * What a draw has taken from the budget.
     *
     * @param share what the win takes; null if it takes nothing
     */
    public record TakenShare(@Nullable BudgetShare share) {

        private static final TakenShare NONE = new TakenShare(null);
    }

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
     * Takes the cost of a draw. The result is empty if too little is left for the award. If the budget pauses draws,
     * every draw requires that enough is left for the most expensive award.
     *
     * @param award the award that the draw wins, if any
     * @param amount the drawn amount, if the amount of the award varies
     * @throws ConcurrencyException if the budget pauses draws by now: the command is handled again, and refused
     */
    public Optional<TakenShare> take(
            DrawableActivity activity,
            CompiledStrategy rules,
            @Nullable AwardDefinition award,
            @Nullable BigDecimal amount) {
        Budget budget = activity.progress().definition().budget();
        if (budget == null) {
            return Optional.of(TakenShare.NONE);
        }
        long cost = award == null ? 0 : Budget.units(award.costOf(amount));
        long least = budget.onReached() == OnReached.PAUSE
                ? rules.mostCost()
                : award == null ? 0 : rules.mostCosts().getOrDefault(award.awardId(), 0L);
        if (least == 0) {
            return Optional.of(TakenShare.NONE);
        }
        List<BudgetLimit> taken = new ArrayList<>();
        for (BudgetLimit limit : limits(activity, budget)) {
            if (!stock.take(limit.stockId(), cost, least, limit.total())) {
                if (budget.onReached() == OnReached.PAUSE) {
                    throw new ConcurrencyException("the budget has come to its end since this draw was allowed");
                }
                giveBack(cost, taken);
                return Optional.empty();
            }
            taken.add(limit);
        }
        return Optional.of(
                cost == 0
                        ? TakenShare.NONE
                        : new TakenShare(new BudgetShare(
                                Budget.amountOf(cost),
                                budget.amount(),
                                budget.perDay() == null ? null : activity.day())));
    }

    private void giveBack(long cost, List<BudgetLimit> taken) {
        if (cost > 0) {
            taken.forEach(limit -> stock.giveBack(limit.stockId(), cost));
        }
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
