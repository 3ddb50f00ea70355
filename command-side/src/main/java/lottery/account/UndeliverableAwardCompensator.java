package lottery.account;

import static org.axonframework.modelling.command.AggregateLifecycle.createNew;

import java.math.BigDecimal;
import java.time.InstantSource;
import lottery.activity.ActivityCache;
import lottery.activity.ActivityProgress;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.account.AccountCommand.CompensateAward;
import lottery.api.account.AccountEvent.ChanceReturned;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountId;
import lottery.api.activity.Budget;
import lottery.api.award.AwardEvent.AwardCompensated;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.award.BudgetShare;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleOrderProgress;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.Remedy;
import lottery.award.AwardRecord;
import lottery.award.GrantOnWinDecider;
import lottery.raffle.DrawTicket;
import lottery.raffle.RaffleOrderFacade;
import lottery.rule.CompiledStrategy;
import lottery.rule.DrawDecision;
import lottery.stock.StockUnitSource;
import lottery.store.axon.EventStreams;
import lottery.strategy.StrategyCache;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.modelling.command.Aggregate;
import org.axonframework.modelling.command.Repository;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;

/** Compensates awards that cannot be handed over. All changes belong to the current unit of work. */
@Component
class UndeliverableAwardCompensator {

    private final Repository<AwardRecord> records;
    private final RaffleOrderFacade orders;
    private final StrategyCache strategies;
    private final ActivityCache activities;
    private final StockUnitSource stock;
    private final ActivityParticipationStock participations;
    private final EventStore events;
    private final GrantOnWinDecider directGrants;
    private final InstantSource clock;

    UndeliverableAwardCompensator(
            @Lazy @Qualifier("awardRecordRepository") Repository<AwardRecord> records,
            RaffleOrderFacade orders,
            StrategyCache strategies,
            ActivityCache activities,
            StockUnitSource stock,
            ActivityParticipationStock participations,
            EventStore events,
            GrantOnWinDecider directGrants,
            InstantSource clock) {
        this.records = records;
        this.orders = orders;
        this.strategies = strategies;
        this.activities = activities;
        this.stock = stock;
        this.participations = participations;
        this.events = events;
        this.directGrants = directGrants;
        this.clock = clock;
    }

    /**
     * The result of a compensation.
     *
     * @param returned the chance that the account gets back; null if the remedy is another one
     */
    record CompensationResult(AwardState state, @Nullable ChanceReturned returned) {}

    /** Compensates an award once. */
    Answer<CompensationResult> compensate(CompensateAward compensate) {
        Aggregate<AwardRecord> record = records.load(compensate.awardRecordId().text());
        if (!compensate.isNews() && record.invoke(AwardRecord::state) == AwardState.COMPENSATED) {
            return Answer.done(new CompensationResult(AwardState.COMPENSATED, null));
        }
        return record.invoke(AwardRecord::forRemedy).then(won -> switch (compensate.by()) {
            case SUBSTITUTE -> substitute(won, record);
            case RETURN_CHANCE -> returnChance(won, record, compensate.isNews());
            case MANUAL -> impossible(won);
        });
    }

    private Answer<CompensationResult> substitute(AwardWon won, Aggregate<AwardRecord> record) {
        return drawnBy(won).then(drawn -> {
            DrawDecision fallback = rules(drawn).instead(won.award().awardId(), new DrawTicket(drawn.ticket()));
            AwardDefinition award = fallback.award();
            if (award == null) {
                return impossible(won);
            }
            return activities.find(won.activityId()).then(activity -> {
                if (activity.definition().budget() != null && isTooDear(won, award, fallback.amount())) {
                    return impossible(won);
                }
                AwardWon instead = instead(won, award, fallback.amount(), activity.grantTime(award.grant()));
                create(instead);
                return Answer.done(done(record, won, Remedy.SUBSTITUTE, instead, null));
            });
        });
    }

    private CompiledStrategy rules(RaffleDrawn drawn) {
        return strategies
                .find(drawn.strategyId(), drawn.strategyVersion())
                .orElseThrow(() -> new IllegalStateException(drawn.orderId() + " was drawn by rules"));
    }

    /**
     * Returns the win of the substitute. A substitute has no substitute of its own. If fulfilment rejects the
     * substitute too, an operator decides.
     */
    private AwardWon instead(AwardWon won, AwardDefinition award, @Nullable BigDecimal amount, GrantTime time) {
        AwardRecordId id = won.awardRecordId().substituteFor(won.userId());
        return new AwardWon(
                id,
                won.activityId(),
                won.userId(),
                new Prize(award.awardId(), award.title(), award.type(), award.sort(), amount),
                false,
                shareOf(won, award, amount),
                award.config(),
                time,
                Remedy.MANUAL,
                won.awardRecordId(),
                clock.instant(),
                directGrants.reference(id, award.type(), time));
    }

    /** Returns whether the substitute costs more than the award that it replaces has taken from the budget. */
    private static boolean isTooDear(AwardWon won, AwardDefinition award, @Nullable BigDecimal amount) {
        BudgetShare share = won.budgetShare();
        long taken = share == null ? 0 : Budget.units(share.amount());
        return Budget.units(award.costOf(amount)) > taken;
    }

    /** Returns what the substitute costs. It is paid from the share of the award that it replaces. */
    private static @Nullable BudgetShare shareOf(AwardWon won, AwardDefinition award, @Nullable BigDecimal amount) {
        BudgetShare share = won.budgetShare();
        long cost = Budget.units(award.costOf(amount));
        return share == null || cost == 0 ? null : share.with(Budget.amountOf(cost));
    }

    private static void create(AwardWon instead) {
        try {
            createNew(AwardRecord.class, () -> new AwardRecord(instead));
        } catch (Exception e) {
            throw new IllegalStateException("could not create " + instead.awardRecordId(), e);
        }
    }

    /**
     * Gives the chance back. If the activity is over, or all its participations are taken, the rejected award goes to
     * the desk, because a chance is worth nothing then. If two persons have agreed, it is at the desk already, and this
     * is refused.
     */
    private Answer<CompensationResult> returnChance(AwardWon won, Aggregate<AwardRecord> record, boolean isNews) {
        Answer<ActivityProgress> found = activities.find(won.activityId());
        if (found instanceof Answer.Done<ActivityProgress>(ActivityProgress activity)
                && activity.definition().draw() != null) {
            return impossible(won); // Nobody could enter with the chance, and no reserve would move up.
        }
        Answer<ActivityProgress> open =
                found.then(activity -> activity.requireRunning(clock.instant())).then(participations::requireLeft);
        if (!isNews && open instanceof Answer.No && record.invoke(AwardRecord::state) == AwardState.REJECTED) {
            return Answer.done(new CompensationResult(
                    record.invoke(award -> award.leave("a chance is worth nothing when the activity is over or full")),
                    null));
        }
        return open.then(_ -> chanceOf(won))
                .then(chance -> Answer.done(done(record, won, Remedy.RETURN_CHANCE, null, chance)));
    }

    private Answer<ChanceReturned> chanceOf(AwardWon won) {
        RaffleOrderId orderId = orderOf(won);
        String account = new AccountId(won.activityId(), won.userId()).text();
        return EventStreams.select(events, account, ChanceSpent.class)
                .filter(spent -> spent.orderId().equals(orderId))
                .findFirst()
                .map(spent -> Answer.done(new ChanceReturned(won.activityId(), won.userId(), orderId, spent.day())))
                .orElseGet(() -> impossible(won));
    }

    private CompensationResult done(
            Aggregate<AwardRecord> record,
            AwardWon won,
            Remedy by,
            @Nullable AwardWon substitute,
            @Nullable ChanceReturned returned) {
        AwardCompensated compensated = new AwardCompensated(
                won.awardRecordId(), won.userId(), by, substitute == null ? null : substitute.awardRecordId());
        BudgetShare substituteShare = substitute == null ? null : substitute.budgetShare();
        return new CompensationResult(
                record.invoke(award -> award.compensate(compensated, substituteShare, stock)), returned);
    }

    /**
     * Returns the draw that won the award. If the award is a substitute, this is refused, because no draw has won it.
     */
    private Answer<RaffleDrawn> drawnBy(AwardWon won) {
        return orders.find(orderOf(won))
                .map(RaffleOrderProgress::drawn)
                .map(Answer::done)
                .orElseGet(() -> impossible(won));
    }

    private static RaffleOrderId orderOf(AwardWon won) {
        return new RaffleOrderId(won.awardRecordId().key());
    }

    private static <T> Answer<T> impossible(AwardWon won) {
        return Answer.no(new Refused(Refusal.AWARD_STATE, won.awardRecordId().text()));
    }
}
