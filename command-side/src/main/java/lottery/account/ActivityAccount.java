package lottery.account;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import lottery.account.Chances.OpenOrder;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.account.AccountCommand.CancelRaffleOrder;
import lottery.api.account.AccountCommand.CompensateAward;
import lottery.api.account.AccountCommand.CompleteRecharge;
import lottery.api.account.AccountCommand.Draw;
import lottery.api.account.AccountCommand.DrawRaffleOrder;
import lottery.api.account.AccountCommand.Partake;
import lottery.api.account.AccountCommand.RechargeAccount;
import lottery.api.account.AccountEvent;
import lottery.api.account.AccountEvent.ChanceReturned;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountEvent.OpenOrderUsed;
import lottery.api.account.AccountId;
import lottery.api.account.Recharged;
import lottery.api.account.Recharged.State;
import lottery.api.award.AwardState;
import lottery.api.raffle.Drawn;
import lottery.api.raffle.Draws;
import lottery.api.raffle.RaffleEvent.RaffleOrderCancelled;
import lottery.api.raffle.RaffleEvent.RaffleOrderCreated;
import lottery.api.raffle.RaffleEvent.Wish;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.Request;
import lottery.api.raffle.Shortage;
import lottery.raffle.Drawing;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.CreationPolicy;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/**
 * One user's chances in one activity. Everything about the user's orders is decided here, one command after another,
 * and written with the orders and the awards that they win in one unit of work: one append, one commit, all or nothing.
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
     * A refusal is thrown where there is no account yet, which must not begin by it; and by the till, if it comes after
     * the payment, which must not stay.
     */
    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.CREATE_IF_MISSING)
    Answer<Recharged> handle(RechargeAccount recharge, Till till) {
        Answer<Slip> taken = till.take(recharge.accountId(), recharge.sku(), recharge.outBusinessNo());
        return (id == null ? Answer.done(taken.orRefuse()) : taken).then(slip -> {
            apply(slip.booked());
            Till.hand(slip);
            return Answer.done(slip.in(State.COMPLETED).told());
        });
    }

    /** Whether the campaign is still open does not matter: what was paid for is given. */
    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.CREATE_IF_MISSING)
    Answer<Recharged> handle(CompleteRecharge complete, Till till) {
        Slip before = till.complete(complete.rechargeId()).orRefuse();
        if (before.state() == State.WAITING) {
            apply(before.booked());
        }
        return Answer.done(before.in(State.COMPLETED).told());
    }

    @CommandHandler
    Answer<RaffleOrderId> handle(Partake partake, House house) {
        return house.enter(partake.accountId()).then(visit -> partake(partake.request(), visit, house));
    }

    private Answer<RaffleOrderId> partake(Request request, Visit visit, House house) {
        OpenOrder open = chances.open();
        if (open != null) {
            house.orders().answered(request, visit.accountId(), Wish.PARTAKE, open.orderId());
            return Answer.done(open.orderId());
        }
        return spend(request.id(), true, visit, house).then(spent -> {
            house.orders()
                    .create(new RaffleOrderCreated(spent.orderId(), spent.activityId(), spent.userId(), visit.now()));
            return Answer.done(spent.orderId());
        });
    }

    /** As many of the draws as there are chances for; it is refused if there is none for the first. */
    @CommandHandler
    Answer<Draws> handle(Draw draw, House house) {
        return unused(draw.request()).then(_ -> house.enter(draw.accountId())).then(visit -> {
            List<Drawn> made = new ArrayList<>();
            Refused refused = null;
            while (made.size() < draw.count() && refused == null) {
                switch (drawNext(draw.order(made.size() + 1), visit, house)) {
                    case Answer.Done<Drawn>(Drawn drawn) -> made.add(drawn);
                    case Answer.No<Drawn> no -> refused = no.refused();
                }
            }
            return made.isEmpty() && refused != null
                    ? Answer.no(refused)
                    : answered(draw, new Draws(made, refused == null ? null : Shortage.of(refused.why())), house);
        });
    }

    /** One order that has the request's own id says by itself what the request was answered with. */
    private static Answer<Draws> answered(Draw draw, Draws draws, House house) {
        if (!draws.draws().getFirst().orderId().equals(draw.request().id())) {
            house.orders().answered(draw.request(), draw.accountId(), draw.count(), draws);
        }
        return Answer.done(draws);
    }

    /** The order that is open comes first: two chances that were taken are two draws. */
    private Answer<Drawn> drawNext(RaffleOrderId orderId, Visit visit, House house) {
        OpenOrder open = chances.open();
        if (open != null) {
            return Answer.done(drawOpen(open, visit, house));
        }
        Drawing.Turn turn = turn(orderId, visit);
        return spend(orderId, false, visit, house).then(_ -> {
            Drawing.Result result = house.drawing().draw(turn, visit.campaign());
            house.orders().createDrawn(result);
            return Answer.done(Drawn.of(result.drawn()));
        });
    }

    private Drawn drawOpen(OpenOrder open, Visit visit, House house) {
        Drawing.Result result = house.drawing().draw(turn(open.orderId(), visit), visit.campaign());
        AccountId account = visit.accountId();
        apply(new OpenOrderUsed(account.activityId(), account.userId(), open.orderId(), chances.today(visit.day())));
        house.orders().drawOpen(result);
        return Drawn.of(result.drawn());
    }

    private Drawing.Turn turn(RaffleOrderId orderId, Visit visit) {
        Uses drawn = chances.drawn();
        return new Drawing.Turn(
                visit.accountId(), orderId, drawn.total(), drawn.on(chances.today(visit.day())), visit.now());
    }

    private Answer<ChanceSpent> spend(RaffleOrderId orderId, boolean open, Visit visit, House house) {
        AccountId account = visit.accountId();
        LocalDate today = chances.today(visit.day());
        return chances.anyLeft(account, today)
                .then(_ -> house.participation(visit.campaign(), orderId))
                .then(slot -> {
                    ChanceSpent spent = new ChanceSpent(
                            account.activityId(), account.userId(), orderId, today, open, slot.number());
                    apply(spent);
                    return Answer.done(spent);
                });
    }

    @CommandHandler
    Answer<Draws> handle(DrawRaffleOrder draw, House house) {
        return open(draw.request(), draw.orderId(), house)
                .then(open -> house.enter(draw.accountId()).then(visit -> {
                    Draws draws = new Draws(List.of(drawOpen(open, visit, house)), null);
                    house.orders().answered(draw.request(), draw.accountId(), Wish.DRAW_ORDER, open.orderId());
                    return Answer.done(draws);
                }));
    }

    /** Whether the campaign is still open does not matter: a chance that nobody used is given back. */
    @CommandHandler
    Answer<RaffleOrderId> handle(CancelRaffleOrder cancel, House house) {
        return open(cancel.request(), cancel.orderId(), house).then(open -> {
            house.leave(open, cancel.activityId());
            apply(new ChanceReturned(cancel.activityId(), cancel.userId(), open.orderId(), open.day()));
            house.orders()
                    .cancel(new RaffleOrderCancelled(
                            open.orderId(), cancel.userId(), house.clock().instant()));
            house.orders().answered(cancel.request(), cancel.accountId(), Wish.CANCEL, open.orderId());
            return Answer.done(open.orderId());
        });
    }

    @CommandHandler
    Answer<AwardState> handle(CompensateAward compensate, Remedies remedies) {
        return remedies.compensate(compensate).then(done -> {
            ChanceReturned returned = done.returned();
            if (returned != null) {
                apply(returned);
            }
            return Answer.done(done.state());
        });
    }

    private Answer<OpenOrder> open(Request request, RaffleOrderId orderId, House house) {
        OpenOrder open = chances.open();
        return unused(request)
                .then(_ -> open != null && open.orderId().equals(orderId) ? Answer.done(open) : house.notOpen(orderId));
    }

    /** The key under which the open order was taken is used up by that. */
    private Answer<Request> unused(Request request) {
        return chances.isOpen(request.id())
                ? Answer.no(new Refused(Refusal.KEY_REUSED, request.id().text()))
                : Answer.done(request);
    }

    @EventSourcingHandler
    void on(AccountEvent event) {
        id = new AccountId(event.activityId(), event.userId()).text();
        chances = chances.evolve(event);
    }
}
