package lottery.account;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;
import static org.axonframework.modelling.command.AggregateLifecycle.createNew;
import static org.axonframework.modelling.command.AggregateLifecycle.getVersion;

import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.concurrent.Callable;
import lottery.activity.Campaigns;
import lottery.api.Answer;
import lottery.api.account.AccountCommand.Draw;
import lottery.api.account.AccountCommand.RechargeAccount;
import lottery.api.account.AccountEvent;
import lottery.api.account.AccountEvent.AccountRecharged;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountId;
import lottery.api.account.RechargeEvent.RechargeCompleted;
import lottery.api.account.RechargeEvent.RechargeOrdered;
import lottery.api.account.Recharged;
import lottery.api.activity.Bundle;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.raffle.Drawn;
import lottery.award.AwardRecord;
import lottery.raffle.Drawing;
import lottery.raffle.Draws;
import lottery.raffle.RaffleOrder;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.ConcurrencyException;
import org.axonframework.modelling.command.CreationPolicy;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/**
 * One user's chances in one activity. A draw decides here and writes the account, the order and the award record in one
 * unit of work: one append, one commit, all or nothing.
 */
@Aggregate(
        type = "account",
        cache = "accountCache",
        commandTargetResolver = "commandTargets",
        lockFactory = "aggregateLocks")
class ActivityAccount {

    @AggregateIdentifier
    private @Nullable String id;

    private Chances chances = Chances.NONE;

    ActivityAccount() {}

    /**
     * A refusal here depends on the campaign alone; it is thrown, because the account may not exist and must not begin
     * by it.
     */
    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.CREATE_IF_MISSING)
    Answer<Recharged> handle(RechargeAccount recharge, Campaigns campaigns, InstantSource clock) {
        AccountId account = recharge.accountId();
        Bundle bundle = campaigns
                .find(account.activityId())
                .then(campaign -> campaign.openAt(clock.instant()))
                .then(campaign -> campaign.bundleOf(recharge.sku()))
                .orRefuse();
        RechargeOrdered ordered = new RechargeOrdered(
                recharge.rechargeId(),
                account.activityId(),
                account.userId(),
                recharge.sku(),
                recharge.outBusinessNo(),
                bundle);
        RechargeCompleted completed = new RechargeCompleted(recharge.rechargeId(), account.userId());
        apply(new AccountRecharged(account.activityId(), account.userId(), recharge.rechargeId(), bundle));
        create(RechargeOrder.class, () -> new RechargeOrder(ordered, completed));
        return Answer.done(Recharges.answer(ordered));
    }

    @CommandHandler
    Answer<Drawn> handle(Draw draw, Campaigns campaigns, Drawing drawing, EventStore events, InstantSource clock) {
        Instant now = clock.instant();
        return campaigns
                .find(draw.activityId())
                .then(campaign -> campaign.openAt(now))
                .then(campaign -> spend(draw, campaign.dayAt(now), events)
                        .then(spent -> draw(spent, drawing.draw(turn(draw, spent, now), campaign))));
    }

    private Answer<ChanceSpent> spend(Draw draw, LocalDate today, EventStore events) {
        Answer<ChanceSpent> answer = chances.spend(draw.accountId(), draw.orderId(), today);
        return switch (answer) {
            case Answer.Done<ChanceSpent> done -> done;
            case Answer.No<ChanceSpent> no
            when isStale(events) ->
                throw new ConcurrencyException("another node has changed " + id + " since it was read here");
            case Answer.No<ChanceSpent> no -> no;
        };
    }

    /** An account in memory may lack a recharge that another node made: nobody is refused on old news. */
    private boolean isStale(EventStore events) {
        return events.lastSequenceNumberFor(String.valueOf(id)).orElse(-1L) > getVersion();
    }

    private Drawing.Turn turn(Draw draw, ChanceSpent spent, Instant now) {
        return new Drawing.Turn(draw.accountId(), draw.orderId(), chances.used(), chances.usedOn(spent.day()), now);
    }

    private static Answer<Drawn> draw(ChanceSpent spent, Drawing.Result result) {
        apply(spent);
        create(RaffleOrder.class, () -> new RaffleOrder(result.drawn()));
        AwardWon won = result.won();
        if (won != null) {
            create(AwardRecord.class, () -> new AwardRecord(won));
        }
        return Answer.done(Draws.answer(result.drawn()));
    }

    private static <T> void create(Class<T> type, Callable<T> aggregate) {
        try {
            createNew(type, aggregate);
        } catch (Exception e) {
            throw new IllegalStateException("could not create " + type.getSimpleName(), e);
        }
    }

    @EventSourcingHandler
    void on(AccountEvent event) {
        id = new AccountId(event.activityId(), event.userId()).text();
        chances = chances.evolve(event);
    }
}
