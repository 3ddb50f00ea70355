package lottery.raffle;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import lottery.activity.ActivityProgress;
import lottery.activity.DrawableActivity;
import lottery.api.Answer;
import lottery.api.UserId;
import lottery.api.activity.StockId;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.award.BudgetShare;
import lottery.api.award.CodePoolId;
import lottery.api.credit.CreditCommand.BookCredits;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.GrantTime;
import lottery.award.GrantOnWinDecider;
import lottery.credit.CreditBooker;
import lottery.fairness.SeedCache;
import lottery.fairness.SeedRound;
import lottery.rule.CompiledStrategy;
import lottery.rule.DrawDecision;
import lottery.rule.DrawSituation;
import lottery.stock.ActivityBudgetStock;
import lottery.stock.StockUnitSource;
import lottery.strategy.StrategyCache;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Decides a draw by the approved rules, its ticket and the stock that is left, and takes a unit of a limited award. */
@Component
class DrawDecider {

    private final StrategyCache strategies;
    private final StockUnitSource stock;
    private final ActivityBudgetStock budgets;
    private final SeedCache seeds;
    private final GrantOnWinDecider directGrants;
    private final CreditBooker creditBooker;

    DrawDecider(
            StrategyCache strategies,
            StockUnitSource stock,
            ActivityBudgetStock budgets,
            SeedCache seeds,
            GrantOnWinDecider directGrants,
            CreditBooker creditBooker) {
        this.strategies = strategies;
        this.stock = stock;
        this.budgets = budgets;
        this.seeds = seeds;
        this.directGrants = directGrants;
        this.creditBooker = creditBooker;
    }

    private record SettledDraw(
            DrawDecision decision,
            Set<Integer> soldOut,
            List<Integer> reached,
            List<Integer> held,
            List<Integer> overBudget,
            boolean unitTaken,
            @Nullable BudgetShare budgetShare) {}

    /** Requires that the budget of the activity does not pause its draws now. */
    Answer<DrawableActivity> requireBudget(DrawableActivity activity) {
        return activity.progress()
                .rulesIn(strategies)
                .map(rules -> budgets.requireOpen(activity, rules))
                .orElseGet(() -> Answer.done(activity));
    }

    /** Decides a draw. If the award is limited, its unit is taken in the current unit of work. */
    DecidedDraw draw(DrawDecisionInput due) {
        ActivityProgress activity = due.activity().progress();
        CompiledStrategy rules = activity.rulesIn(strategies)
                .orElseThrow(() -> new IllegalStateException("an open activity has a strategy"));
        SeedRound round = activity.round();
        DrawTicket ticket = DrawTicket.of(seeds.of(round), due.orderId());
        SettledDraw settled = settled(due, rules, ticket);
        DrawDecision decision = settled.decision();
        AwardDefinition award = decision.award();
        Prize prize = award == null
                ? null
                : new Prize(award.awardId(), award.title(), award.type(), award.sort(), decision.amount());
        RaffleDrawn drawn = new RaffleDrawn(
                due.orderId(),
                due.account().activityId(),
                due.account().userId(),
                rules.strategyId(),
                rules.version(),
                round.number(),
                due.before().total(),
                due.before().today(),
                new TreeSet<>(settled.soldOut()).stream().toList(),
                settled.reached(),
                settled.held(),
                settled.overBudget(),
                ticket.hex(),
                decision.outcome(),
                prize,
                due.activity().now());
        if (award == null || prize == null) {
            return new DecidedDraw(drawn, null, null, false);
        }
        GrantTime grant = activity.grantTime(award.grant());
        BookCredits credits = directGrants
                .credits(prize, award.config(), grant)
                .map(amount -> new BookCredits(
                        due.account().userId(),
                        amount,
                        AwardRecordId.of(due.orderId()).text(),
                        prize.title()))
                .orElse(null);
        return new DecidedDraw(
                drawn,
                won(due, award, prize, grant, settled, credits != null),
                credits,
                rules.isLimitedPerUser(award.awardId()));
    }

    /**
     * Decides the draw, and takes the unit and the cost. If the award turns out to be sold out, the draw is decided
     * again without this award. The loop ends, because each round leaves out one more limited award.
     */
    private SettledDraw settled(DrawDecisionInput due, CompiledStrategy rules, DrawTicket ticket) {
        Set<Integer> soldOut = new HashSet<>(stock.soldOut(due.account().activityId(), rules.definition()));
        List<Integer> reached = rules.reached(due.before().limitedWins());
        List<Integer> held = rules.known(due.activity().progress().held());
        List<Integer> overBudget = budgets.over(due.activity(), rules);
        while (true) {
            DrawDecision decision = rules.decide(
                    new DrawSituation(
                            due.account().userId(),
                            due.before().total(),
                            due.before().today(),
                            all(soldOut, reached, held, overBudget)),
                    ticket);
            AwardDefinition award = decision.award();
            Integer total = award == null ? null : award.stock();
            if (award != null && total != null && !stock.take(stockOf(due, award), total)) {
                soldOut.add(award.awardId());
                continue;
            }
            return new SettledDraw(
                    decision,
                    soldOut,
                    reached,
                    held,
                    overBudget,
                    total != null,
                    budgets.take(due.activity(), rules, award, decision.amount()));
        }
    }

    private static StockId stockOf(DrawDecisionInput due, AwardDefinition award) {
        return StockId.ofAward(due.account().activityId(), award.awardId());
    }

    private static Set<Integer> all(
            Set<Integer> soldOut, List<Integer> reached, List<Integer> held, List<Integer> overBudget) {
        if (reached.isEmpty() && held.isEmpty() && overBudget.isEmpty()) {
            return soldOut;
        }
        Set<Integer> all = new HashSet<>(soldOut);
        all.addAll(reached);
        all.addAll(held);
        all.addAll(overBudget);
        return all;
    }

    private AwardWon won(
            DrawDecisionInput due,
            AwardDefinition award,
            Prize prize,
            GrantTime grant,
            SettledDraw settled,
            boolean creditsBooked) {
        AwardRecordId id = AwardRecordId.of(due.orderId());
        UserId winner = due.account().userId();
        CodePoolId pool = new CodePoolId(due.account().activityId(), award.awardId());
        return new AwardWon(
                id,
                due.account().activityId(),
                winner,
                prize,
                settled.unitTaken(),
                settled.budgetShare(),
                award.config(),
                grant,
                award.onFailure(),
                null,
                due.activity().now(),
                creditsBooked
                        ? creditBooker.nextReference(winner)
                        : directGrants.referenceInDraw(pool, id, prize.type(), grant));
    }
}
