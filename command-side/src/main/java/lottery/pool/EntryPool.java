package lottery.pool;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import java.time.InstantSource;
import java.util.List;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.activity.ActivityId;
import lottery.api.pool.PoolCommand.CloseEntries;
import lottery.api.pool.PoolCommand.DrawPoolPage;
import lottery.api.pool.PoolCommand.FreezePool;
import lottery.api.pool.PoolCommand.MoveReserveUp;
import lottery.api.pool.PoolCommand.NoteEntriesReturned;
import lottery.api.pool.PoolCommand.OrderPool;
import lottery.api.pool.PoolEvent;
import lottery.api.pool.PoolEvent.EntriesClosed;
import lottery.api.pool.PoolEvent.EntriesReturned;
import lottery.api.pool.PoolEvent.PoolCancelled;
import lottery.api.pool.PoolEvent.PoolDrawn;
import lottery.api.pool.PoolEvent.PoolFrozen;
import lottery.api.pool.PoolEvent.PoolOrdered;
import lottery.api.pool.PoolEvent.PoolPageDrawn;
import lottery.api.pool.PoolEvent.ReserveMovedUp;
import lottery.api.pool.PoolEvent.ReservesUsedUp;
import lottery.api.pool.PoolId;
import lottery.api.pool.PoolState;
import lottery.api.pool.PoolWin;
import lottery.api.raffle.RaffleOrderId;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.CreationPolicy;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/**
 * The pool of an activity, from the close of its entries on. A command that comes too early changes nothing, and the
 * saga sends it again later. A command that comes twice changes nothing the second time.
 */
@Aggregate(type = "pool", cache = "poolCache", commandTargetResolver = "commandTargets", lockFactory = "aggregateLocks")
class EntryPool {

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    private @Nullable PoolProgress pool;

    EntryPool() {}

    /** Closes the entries. No entry is stored after this commit. */
    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.CREATE_IF_MISSING)
    Answer<PoolState> handle(CloseEntries close, EntryClosingRule closing, EntryNumberSeries numbers) {
        if (pool != null) {
            return Answer.done(pool.state());
        }
        ActivityId activityId = close.activityId();
        // A refused command must not create the pool.
        PoolEvent end = switch (closing.due(activityId).orThrow()) {
            case TIME_IS_UP -> new EntriesClosed(activityId);
            case CANCELLED -> new PoolCancelled(activityId);
        };
        apply(end);
        numbers.close(activityId);
        return Answer.done(pool(activityId).state());
    }

    @CommandHandler
    Answer<PoolState> handle(FreezePool freeze, PoolDrawExecutor draw) {
        PoolProgress now = pool(freeze.activityId());
        return now.state() == PoolState.CLOSED
                ? draw.freeze(freeze.activityId()).then(frozen -> after(freeze.activityId(), frozen))
                : Answer.done(now.state());
    }

    /**
     * Puts the entries in their order. The public random value is stored in the same commit, so that no other value can
     * be used later.
     */
    @CommandHandler
    Answer<PoolState> handle(OrderPool order, PoolDrawExecutor draw, InstantSource clock) {
        PoolProgress now = pool(order.activityId());
        PoolFrozen frozen = now.frozen();
        if (now.state() != PoolState.FROZEN || frozen == null || clock.instant().isBefore(frozen.drawAt())) {
            return Answer.done(now.state());
        }
        PoolOrdered ordered = draw.order(frozen).orElse(null);
        return ordered == null ? Answer.done(now.state()) : after(order.activityId(), ordered);
    }

    /** Gives the wins of the next places. The same commit records that these wins are given. */
    @CommandHandler
    Answer<PoolState> handle(DrawPoolPage page, PoolDrawExecutor draw) {
        PoolProgress now = pool(page.activityId());
        PoolFrozen frozen = now.frozen();
        PoolOrdered ordered = now.ordered();
        if (now.state() != PoolState.ORDERED || frozen == null || ordered == null) {
            return Answer.done(now.state());
        }
        PoolPageDrawn wins = draw.page(frozen, ordered, now.placesDrawn());
        if (!wins.wins().isEmpty()) {
            apply(wins).andThen(() -> draw.give(frozen, wins.wins()));
        }
        if (now.placesDrawn() + wins.wins().size() >= ordered.winners()) {
            apply(new PoolDrawn(
                    page.activityId(),
                    frozen.entries(),
                    ordered.winners(),
                    ordered.reserves(),
                    ordered.beaconValue(),
                    ordered.drawKey()));
        }
        return Answer.done(pool(page.activityId()).state());
    }

    @CommandHandler
    Answer<PoolState> handle(MoveReserveUp move, PoolDrawExecutor draw, EntryNumberSeries numbers) {
        PoolProgress now = pool(move.activityId());
        PoolFrozen frozen = now.frozen();
        PoolOrdered ordered = now.ordered();
        if (now.state() != PoolState.DRAWN || frozen == null || ordered == null || now.isSettled(move.vacated())) {
            return Answer.done(now.state());
        }
        Integer place = now.nextReserve();
        if (place == null) {
            return draw.vacated(frozen, move.vacated())
                    .then(_ -> after(move.activityId(), new ReservesUsedUp(move.activityId(), move.vacated())));
        }
        return draw.vacated(frozen, move.vacated()).then(award -> {
            PoolWin win = draw.reserve(frozen, ordered, place, award);
            apply(new ReserveMovedUp(
                            move.activityId(),
                            win,
                            move.vacated(),
                            numbers.of(
                                            move.activityId(),
                                            new RaffleOrderId(move.vacated().key()))
                                    .orElseThrow()))
                    .andThen(() -> draw.give(frozen, List.of(win)));
            return Answer.done(pool(move.activityId()).state());
        });
    }

    @CommandHandler
    Answer<PoolState> handle(NoteEntriesReturned returned) {
        PoolProgress now = pool(returned.activityId());
        if (now.state() != PoolState.CANCELLED) {
            return Answer.no(
                    new Refused(Refusal.ACTIVITY_STATE, new PoolId(returned.activityId()) + " (" + now.state() + ")"));
        }
        return returned.upTo() > now.returnedUpTo()
                ? after(returned.activityId(), new EntriesReturned(returned.activityId(), returned.upTo()))
                : Answer.done(now.state());
    }

    private Answer<PoolState> after(ActivityId activityId, PoolEvent event) {
        apply(event);
        return Answer.done(pool(activityId).state());
    }

    private PoolProgress pool(ActivityId activityId) {
        return pool == null ? PoolProgress.open(activityId) : pool;
    }

    @EventSourcingHandler
    void on(PoolEvent event) {
        id = new PoolId(event.activityId()).text();
        pool = pool(event.activityId()).evolve(event);
    }
}
