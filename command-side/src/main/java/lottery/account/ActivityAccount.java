package lottery.account;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import java.time.InstantSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import lottery.account.Chances.OpenOrder;
import lottery.activity.ActivityCache;
import lottery.activity.DrawableActivity;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.account.AccountCommand.CancelRaffleOrder;
import lottery.api.account.AccountCommand.CompensateAward;
import lottery.api.account.AccountCommand.CompleteRecharge;
import lottery.api.account.AccountCommand.Draw;
import lottery.api.account.AccountCommand.DrawChosen;
import lottery.api.account.AccountCommand.DrawRaffleOrder;
import lottery.api.account.AccountCommand.Enter;
import lottery.api.account.AccountCommand.Partake;
import lottery.api.account.AccountCommand.RechargeAccount;
import lottery.api.account.AccountCommand.ReturnEntry;
import lottery.api.account.AccountEvent;
import lottery.api.account.AccountEvent.AccountOpened;
import lottery.api.account.AccountEvent.ChanceReturned;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountEvent.LimitedAwardWon;
import lottery.api.account.AccountEvent.LimitedSkuTaken;
import lottery.api.account.AccountEvent.OpenOrderUsed;
import lottery.api.account.AccountId;
import lottery.api.account.RechargeResult;
import lottery.api.account.RechargeResult.RechargeState;
import lottery.api.activity.ChanceBundle;
import lottery.api.activity.SkuOffer;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardState;
import lottery.api.raffle.DrawRequestResult;
import lottery.api.raffle.DrawResult;
import lottery.api.raffle.FewerDrawsReason;
import lottery.api.raffle.RaffleEvent.EntryMade;
import lottery.api.raffle.RaffleEvent.RaffleOrderCreated;
import lottery.api.raffle.RaffleEvent.Wish;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleOrderState;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.pool.EntryNumberSeries;
import lottery.raffle.DecidedDraw;
import lottery.raffle.DrawDecisionInput;
import lottery.raffle.PriorDraws;
import lottery.raffle.RaffleOrderFacade;
import lottery.raffle.RequestAnswers;
import lottery.recharge.RechargeProgress;
import lottery.recharge.SkuSeller;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.AggregateLifecycle;
import org.axonframework.modelling.command.CreationPolicy;
import org.axonframework.serialization.Revision;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/**
 * One user's chances in one activity. It decides whether a chance may be spent, and books the draw or the cancellation
 * of its open order. The orders, and the awards that they win, are written in the account's unit of work. So either all
 * of these events are stored, in one commit, or none of them.
 */
@Aggregate(
        type = "account",
        cache = "accountCache",
        snapshotTriggerDefinition = "userSnapshots",
        commandTargetResolver = "commandTargets",
        lockFactory = "aggregateLocks")
// The revision of its snapshots: snapshots of another revision are not used.
@Revision("1")
class ActivityAccount {

    @AggregateIdentifier
    private @Nullable String id;

    private Chances chances = Chances.NONE;

    /** How often the user has won each award that has a limit per user. */
    private Map<Integer, Integer> limitedWins = Map.of();

    SkuUses skuUses = SkuUses.NONE;

    ActivityAccount() {}

    /**
     * If the recharge is refused after its price was paid, the {@link SkuSeller} throws the refusal, so that the
     * payment is rolled back.
     */
    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.CREATE_IF_MISSING)
    Answer<RechargeResult> handle(RechargeAccount recharge, SkuSeller skuSeller) {
        AccountId account = recharge.accountId();
        return known(skuSeller
                .offer(account, recharge.sku())
                .then(offer -> skuUses.requireLeft(offer, skuSeller.day(account)))
                .then(offer -> skuSeller
                        .take(account, offer.sku(), recharge.outBusinessNo())
                        .then(taken -> {
                            RechargeResult booked = booked(taken, offer, skuSeller);
                            skuSeller.hand(taken);
                            return Answer.done(booked);
                        })));
    }

    private RechargeResult booked(RechargeProgress taken, SkuOffer offer, SkuSeller skuSeller) {
        skuUses.booked(taken, offer, skuSeller.day(taken.accountId())).forEach(AggregateLifecycle::apply);
        return taken.in(RechargeState.COMPLETED).told();
    }

    /** Completes a recharge, even if the activity is over, because the user has paid. It throws its refusal. */
    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.CREATE_IF_MISSING)
    Answer<RechargeResult> handle(CompleteRecharge complete, SkuSeller skuSeller) {
        RechargeProgress before =
                skuSeller.complete(complete.rechargeId(), id != null).orThrow();
        if (before.state() != RechargeState.WAITING) {
            return Answer.done(before.told());
        }
        SkuOffer offer = skuSeller.skuOf(before);
        skuUses.requireLeft(offer, skuSeller.day(before.accountId())).orThrow();
        return Answer.done(booked(before, offer, skuSeller));
    }

    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.CREATE_IF_MISSING)
    Answer<RaffleOrderId> handle(
            Partake partake,
            ActivityCache activities,
            ActivityParticipationStock participations,
            RaffleOrderFacade orders) {
        return known(activities
                .findOpen(partake.activityId())
                .then(DrawableActivity::drawsAtOnce)
                .then(orders::requireBudget)
                .then(activity -> {
                    OpenOrder open = chances.open();
                    if (open != null) {
                        RequestAnswers.keep(partake.request(), partake.accountId(), Wish.PARTAKE, open.orderId());
                        return Answer.done(open.orderId());
                    }
                    RaffleOrderId orderId = partake.request().id();
                    return chances.requireFewCancelled(partake.accountId(), activity.day())
                            .then(_ -> spend(partake.accountId(), orderId, true, activity, participations))
                            .then(_ -> {
                                orders.create(new RaffleOrderCreated(
                                        orderId, partake.activityId(), partake.userId(), activity.now()));
                                return Answer.done(orderId);
                            });
                }));
    }

    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.CREATE_IF_MISSING)
    Answer<RaffleOrderId> handle(
            Enter enter,
            ActivityCache activities,
            ActivityParticipationStock participations,
            RaffleOrderFacade orders,
            EntryNumberSeries numbers) {
        RaffleOrderId orderId = enter.request().id();
        return known(chances.requireUnused(enter.request())
                .then(_ -> activities.findOpen(enter.activityId()))
                .then(DrawableActivity::takesEntries)
                .then(activity -> numbers.requireOpen(enter.activityId())
                        .then(_ -> spend(enter.accountId(), orderId, false, activity, participations))
                        .then(spent -> {
                            // The counts already include the chance that was just spent, so one is subtracted.
                            orders.create(new EntryMade(
                                    orderId,
                                    enter.activityId(),
                                    enter.userId(),
                                    spent.day(),
                                    spent.participationTaken(),
                                    chances.drawn().total() - 1,
                                    chances.drawn().on(spent.day()) - 1,
                                    activity.now()));
                            numbers.take(enter.activityId(), orderId);
                            return Answer.done(orderId);
                        })));
    }

    /** Gives the chance of an entry back, once. This happens only if the pool of the entry was cancelled. */
    @CommandHandler
    Answer<RaffleOrderId> handle(
            ReturnEntry back,
            RaffleOrderFacade orders,
            ActivityParticipationStock participations,
            InstantSource clock) {
        RaffleOrderId orderId = back.orderId();
        boolean isEntered = orders.find(orderId)
                .filter(order -> order.state() == RaffleOrderState.ENTERED)
                .isPresent();
        if (isEntered) {
            EntryMade entry = orders.entry(orderId)
                    .filter(made -> made.userId().equals(back.userId()))
                    .orElseThrow(() -> new IllegalStateException(orderId + " is no entry of " + back.accountId()));
            giveBack(back.accountId(), new OpenOrder(orderId, entry.day(), entry.participationTaken()), participations);
            orders.cancel(orderId, clock.instant());
        }
        return Answer.done(orderId);
    }

    @CommandHandler
    Answer<DrawRequestResult> handle(DrawRaffleOrder draw, ActivityCache activities, RaffleOrderFacade orders) {
        return requireOpen(draw.accountId(), draw.orderId(), draw.request(), orders)
                .then(_ -> activities.findOpen(draw.activityId()))
                .then(orders::requireBudget)
                .then(activity -> {
                    DrawResult drawn = drawOpen(draw.accountId(), draw.orderId(), activity, orders);
                    RequestAnswers.keep(draw.request(), draw.accountId(), Wish.DRAW_ORDER, draw.orderId());
                    return Answer.done(new DrawRequestResult(List.of(drawn), null));
                });
    }

    /** Cancels the open order, even if the activity is no longer open, because its chance was not used. */
    @CommandHandler
    Answer<RaffleOrderId> handle(
            CancelRaffleOrder cancel,
            RaffleOrderFacade orders,
            ActivityParticipationStock participations,
            InstantSource clock) {
        return requireOpen(cancel.accountId(), cancel.orderId(), cancel.request(), orders)
                .then(open -> {
                    giveBack(cancel.accountId(), open, participations);
                    orders.cancel(open.orderId(), clock.instant());
                    RequestAnswers.keep(cancel.request(), cancel.accountId(), Wish.CANCEL, open.orderId());
                    return Answer.done(open.orderId());
                });
    }

    /**
     * Returns the open order, or the reason why the order of this id is not open. A request with the key under which
     * the order was created is refused.
     */
    private Answer<OpenOrder> requireOpen(
            AccountId account, RaffleOrderId orderId, RaffleRequestIdentity request, RaffleOrderFacade orders) {
        OpenOrder open = chances.open();
        if (request.id().equals(orderId)) {
            return Answer.no(new Refused(Refusal.KEY_REUSED, orderId.text()));
        } else if (open != null && open.orderId().equals(orderId)) {
            return Answer.done(open);
        }
        return Answer.no(new Refused(orders.whyNotOpen(orderId, account), orderId.text()));
    }

    /**
     * Makes as many of the requested draws as the user has chances. The command is refused if there is no chance for
     * the first draw.
     */
    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.CREATE_IF_MISSING)
    Answer<DrawRequestResult> handle(
            Draw draw, ActivityCache activities, ActivityParticipationStock participations, RaffleOrderFacade orders) {
        return known(chances.requireUnused(draw.request())
                .then(_ -> activities.findOpen(draw.activityId()))
                .then(DrawableActivity::drawsAtOnce)
                .then(activity -> {
                    List<DrawResult> made = new ArrayList<>();
                    Refused refused = null;
                    while (made.size() < draw.count() && refused == null) {
                        switch (drawNext(draw, draw.order(made.size() + 1), activity, participations, orders)) {
                            case Answer.Done<DrawResult>(DrawResult drawn) -> made.add(drawn);
                            case Answer.No<DrawResult> no -> refused = no.refused();
                        }
                    }
                    if (made.isEmpty() && refused != null) {
                        return Answer.no(refused);
                    }
                    DrawRequestResult draws =
                            new DrawRequestResult(made, refused == null ? null : FewerDrawsReason.of(refused.why()));
                    RequestAnswers.keep(draw.request(), draw.accountId(), draw.count(), draws);
                    return Answer.done(draws);
                }));
    }

    /**
     * The chosen activity is claimed before the draws. If the draws are refused, the refusal is thrown, so that the
     * claim is rolled back.
     */
    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.CREATE_IF_MISSING)
    Answer<DrawRequestResult> handle(
            DrawChosen chosen,
            ActivityCache activities,
            ActivityParticipationStock participations,
            RaffleOrderFacade orders,
            ChosenActivityClaims choices) {
        return known(choices.take(chosen))
                .then(draw -> Answer.done(
                        handle(draw, activities, participations, orders).orThrow()));
    }

    /** Throws the refusal if the account does not exist yet, because a refused command must not create the account. */
    private <R> Answer<R> known(Answer<R> answer) {
        return id == null ? Answer.done(answer.orThrow()) : answer;
    }

    /** Draws the open order first, so that a user who spends two chances gets two draws. */
    private Answer<DrawResult> drawNext(
            Draw draw,
            RaffleOrderId newOrderId,
            DrawableActivity activity,
            ActivityParticipationStock participations,
            RaffleOrderFacade orders) {
        AccountId account = draw.accountId();
        OpenOrder open = chances.open();
        Answer<DrawableActivity> paid = orders.requireBudget(activity);
        if (open != null) {
            return paid.then(_ -> Answer.done(drawOpen(account, open.orderId(), activity, orders)));
        }
        PriorDraws before = chances.drawsBefore(activity.day(), limitedWins);
        return paid.then(_ -> spend(account, newOrderId, false, activity, participations))
                .then(_ -> Answer.done(
                        orders.draw(decide(new DrawDecisionInput(account, newOrderId, before, activity), orders))));
    }

    private DrawResult drawOpen(
            AccountId account, RaffleOrderId orderId, DrawableActivity activity, RaffleOrderFacade orders) {
        PriorDraws before = chances.drawsBefore(activity.day(), limitedWins);
        apply(new OpenOrderUsed(account.activityId(), account.userId(), orderId, chances.today(activity.day())));
        return orders.drawOpen(decide(new DrawDecisionInput(account, orderId, before, activity), orders));
    }

    /** Decides a draw, and counts its win if one user can win the award only so often. */
    private static DecidedDraw decide(DrawDecisionInput due, RaffleOrderFacade orders) {
        DecidedDraw decided = orders.decide(due);
        AwardWon won = decided.won();
        if (won != null && decided.isCounted()) {
            apply(new LimitedAwardWon(
                    won.activityId(), won.userId(), due.orderId(), won.award().awardId()));
        }
        return decided;
    }

    /** Gives the chance and the participation of an order back. */
    private static void giveBack(AccountId account, OpenOrder order, ActivityParticipationStock participations) {
        participations.giveBack(order, account.activityId());
        apply(new ChanceReturned(account.activityId(), account.userId(), order.orderId(), order.day()));
    }

    private Answer<ChanceSpent> spend(
            AccountId account,
            RaffleOrderId orderId,
            boolean open,
            DrawableActivity activity,
            ActivityParticipationStock participations) {
        LocalDate today = chances.today(activity.day());
        ChanceBundle free = chances.freeYet(activity.progress().definition());
        return chances.with(free)
                .requireChance(account, today)
                .then(_ -> participations.take(activity.progress()))
                .then(participationTaken -> {
                    if (free != null) {
                        apply(new AccountOpened(account.activityId(), account.userId(), free));
                    }
                    ChanceSpent spent = new ChanceSpent(
                            account.activityId(), account.userId(), orderId, today, open, participationTaken);
                    apply(spent);
                    return Answer.done(spent);
                });
    }

    @CommandHandler
    Answer<AwardState> handle(CompensateAward compensate, UndeliverableAwardCompensator compensator) {
        return compensator.compensate(compensate).then(done -> {
            ChanceReturned returned = done.returned();
            if (returned != null) {
                apply(returned);
            }
            return Answer.done(done.state());
        });
    }

    @EventSourcingHandler
    void on(AccountEvent event) {
        id = new AccountId(event.activityId(), event.userId()).text();
        chances = chances.evolve(event);
        switch (event) {
            case LimitedAwardWon won -> {
                Map<Integer, Integer> more = new HashMap<>(limitedWins);
                more.merge(won.awardId(), 1, Integer::sum);
                limitedWins = Map.copyOf(more);
            }
            case LimitedSkuTaken taken -> skuUses = skuUses.plus(taken);
            case AccountEvent _ -> {
                // The other events change only the chances.
            }
        }
    }
}
