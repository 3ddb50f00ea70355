package lottery.account;

import static org.axonframework.modelling.command.AggregateLifecycle.createNew;

import java.math.BigDecimal;
import java.time.InstantSource;
import java.time.LocalDate;
import lottery.activity.Campaigns;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.account.AccountCommand.CompensateAward;
import lottery.api.account.AccountEvent.ChanceReturned;
import lottery.api.award.AwardEvent.AwardCompensated;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.Remedy;
import lottery.award.AwardRecord;
import lottery.raffle.Orders;
import lottery.raffle.Ticket;
import lottery.rule.Decision;
import lottery.rule.DrawRules;
import lottery.stock.Shelves;
import lottery.strategy.Strategies;
import org.axonframework.modelling.command.Aggregate;
import org.axonframework.modelling.command.Repository;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Lazy;
import org.springframework.stereotype.Component;

/** Makes good for awards that cannot be handed over. All of it belongs to the current unit of work. */
@Component
class Remedies {

    private final Repository<AwardRecord> records;
    private final Orders orders;
    private final Strategies strategies;
    private final Campaigns campaigns;
    private final Shelves shelves;
    private final InstantSource clock;

    Remedies(
            @Lazy @Qualifier("awardRecordRepository") Repository<AwardRecord> records,
            Orders orders,
            Strategies strategies,
            Campaigns campaigns,
            Shelves shelves,
            InstantSource clock) {
        this.records = records;
        this.orders = orders;
        this.strategies = strategies;
        this.campaigns = campaigns;
        this.shelves = shelves;
        this.clock = clock;
    }

    /**
     * What was done.
     *
     * @param returned the chance that the account has back
     */
    record Done(AwardState state, @Nullable ChanceReturned returned) {}

    /** Once: an award that was made good for stays as it is. */
    Answer<Done> compensate(CompensateAward compensate) {
        Aggregate<AwardRecord> record = records.load(compensate.awardRecordId().text());
        if (record.invoke(AwardRecord::state) == AwardState.COMPENSATED) {
            return Answer.done(new Done(AwardState.COMPENSATED, null));
        }
        return record.invoke(AwardRecord::forRemedy).then(won -> switch (compensate.by()) {
            case SUBSTITUTE -> substitute(won, record);
            case RETURN_CHANCE -> returnChance(won, record);
            case MANUAL -> impossible(won);
        });
    }

    private Answer<Done> substitute(AwardWon won, Aggregate<AwardRecord> record) {
        return drawnBy(won).then(drawn -> {
            Decision fallback = rules(drawn).instead(won.award().awardId(), new Ticket(drawn.ticket()));
            AwardDefinition award = fallback.award();
            if (award == null) {
                return impossible(won);
            }
            AwardWon instead = instead(won, award, fallback.amount());
            create(instead);
            return Answer.done(done(record, won, Remedy.SUBSTITUTE, instead.awardRecordId(), null));
        });
    }

    private DrawRules rules(RaffleDrawn drawn) {
        return strategies
                .find(drawn.strategyId(), drawn.strategyVersion())
                .orElseThrow(() -> new IllegalStateException(drawn.orderId() + " was drawn by rules"));
    }

    /** If it cannot be handed over either, a person decides: there is nothing to stand in for it. */
    private AwardWon instead(AwardWon won, AwardDefinition award, @Nullable BigDecimal amount) {
        return new AwardWon(
                won.awardRecordId().substituteFor(won.userId()),
                won.activityId(),
                won.userId(),
                new Prize(award.awardId(), award.title(), award.type(), award.sort(), amount),
                null,
                award.config(),
                GrantTime.AT_ONCE,
                Remedy.MANUAL,
                won.awardRecordId(),
                clock.instant());
    }

    private static void create(AwardWon instead) {
        try {
            createNew(AwardRecord.class, () -> new AwardRecord(instead));
        } catch (Exception e) {
            throw new IllegalStateException("could not create " + instead.awardRecordId(), e);
        }
    }

    private Answer<Done> returnChance(AwardWon won, Aggregate<AwardRecord> record) {
        RaffleOrderId orderId = orderOf(won);
        return orders.find(orderId)
                .map(order -> campaigns.find(won.activityId()).then(campaign -> {
                    LocalDate spentOn = campaign.dayAt(order.createdAt());
                    return Answer.done(done(
                            record,
                            won,
                            Remedy.RETURN_CHANCE,
                            null,
                            new ChanceReturned(won.activityId(), won.userId(), orderId, spentOn)));
                }))
                .orElseGet(() -> impossible(won));
    }

    private Done done(
            Aggregate<AwardRecord> record,
            AwardWon won,
            Remedy by,
            @Nullable AwardRecordId substitute,
            @Nullable ChanceReturned returned) {
        AwardCompensated compensated = new AwardCompensated(won.awardRecordId(), won.userId(), by, substitute);
        return new Done(record.invoke(award -> award.compensate(compensated, shelves)), returned);
    }

    /** What was won in place of something was not drawn. */
    private Answer<RaffleDrawn> drawnBy(AwardWon won) {
        return orders.find(orderOf(won))
                .map(Orders.Order::drawn)
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
