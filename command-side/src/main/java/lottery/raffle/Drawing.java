package lottery.raffle;

import java.util.HashSet;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import lottery.activity.Campaign;
import lottery.activity.OpenActivity;
import lottery.api.account.AccountId;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.strategy.AwardDefinition;
import lottery.fairness.Round;
import lottery.fairness.Seeds;
import lottery.rule.Decision;
import lottery.rule.DrawRules;
import lottery.rule.Situation;
import lottery.stock.ShelfId;
import lottery.stock.StockUnits;
import lottery.strategy.Strategies;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Decides a draw by the rules that hold now, with its own ticket and with what is left, and takes what was won. */
@Component
public class Drawing {

    private final Strategies strategies;
    private final StockUnits stock;
    private final Seeds seeds;

    Drawing(Strategies strategies, StockUnits stock, Seeds seeds) {
        this.strategies = strategies;
        this.stock = stock;
        this.seeds = seeds;
    }

    /**
     * One draw that is due.
     *
     * @param before how often its user has drawn before
     */
    public record Turn(AccountId account, RaffleOrderId orderId, DrawsBefore before, OpenActivity activity) {}

    /** What has to be stored of a draw. */
    record Result(RaffleDrawn drawn, @Nullable AwardWon won) {}

    private record Settled(
            Decision decision,
            Set<Integer> soldOut,
            @Nullable Integer slot) {}

    /** Takes the slot of a limited award with the current unit of work. */
    Result draw(Turn turn) {
        Campaign campaign = turn.activity().campaign();
        DrawRules rules = strategies
                .find(campaign.definition().strategyId())
                .orElseThrow(() -> new IllegalStateException("an open activity has a strategy"));
        Round round = campaign.round();
        Ticket ticket = Ticket.of(seeds.of(round), turn.orderId());
        Settled settled = settled(turn, rules, ticket);
        Decision decision = settled.decision();
        AwardDefinition award = decision.award();
        Prize prize = award == null
                ? null
                : new Prize(award.awardId(), award.title(), award.type(), award.sort(), decision.amount());
        RaffleDrawn drawn = new RaffleDrawn(
                turn.orderId(),
                turn.account().activityId(),
                turn.account().userId(),
                rules.strategyId(),
                rules.version(),
                round.number(),
                turn.before().total(),
                turn.before().today(),
                new TreeSet<>(settled.soldOut()).stream().toList(),
                ticket.hex(),
                decision.outcome(),
                prize,
                turn.activity().now());
        return new Result(drawn, award == null || prize == null ? null : won(turn, award, prize, settled.slot()));
    }

    /** An award that turns out to be sold out is one more to decide without. There is an end of them. */
    private Settled settled(Turn turn, DrawRules rules, Ticket ticket) {
        Set<Integer> soldOut = new HashSet<>(stock.soldOut(turn.account().activityId(), rules.definition()));
        while (true) {
            Decision decision = rules.decide(
                    new Situation(
                            turn.account().userId(),
                            turn.before().total(),
                            turn.before().today(),
                            soldOut),
                    ticket);
            AwardDefinition award = decision.award();
            Integer total = award == null ? null : award.stock();
            if (award == null || total == null) {
                return new Settled(decision, soldOut, null);
            }
            ShelfId shelf = ShelfId.ofAward(turn.account().activityId(), award.awardId());
            OptionalInt slot = stock.take(shelf, total, turn.orderId().text());
            if (slot.isPresent()) {
                return new Settled(decision, soldOut, slot.getAsInt());
            }
            soldOut.add(award.awardId());
        }
    }

    private static AwardWon won(Turn turn, AwardDefinition award, Prize prize, @Nullable Integer slot) {
        return new AwardWon(
                AwardRecordId.of(turn.orderId()),
                turn.account().activityId(),
                turn.account().userId(),
                prize,
                slot,
                award.config(),
                turn.activity().campaign().grantTime(award.grant()),
                award.onFailure(),
                null,
                turn.activity().now());
    }
}
