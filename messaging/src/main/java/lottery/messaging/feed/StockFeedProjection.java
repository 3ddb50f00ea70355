package lottery.messaging.feed;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import lottery.api.activity.ActivityId;
import lottery.api.activity.Budget;
import lottery.api.activity.StockId;
import lottery.api.award.AwardEvent.AwardCompensated;
import lottery.api.award.AwardEvent.AwardForfeited;
import lottery.api.award.AwardEvent.AwardVoided;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.award.BudgetShare;
import lottery.api.pool.PoolEvent.PoolFrozen;
import lottery.api.pool.PoolId;
import lottery.api.raffle.RaffleEvent;
import lottery.api.raffle.RaffleEvent.EntryMade;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleEvent.RaffleOrderCancelled;
import lottery.api.raffle.RaffleEvent.RaffleOrderCreated;
import lottery.api.raffle.RaffleEvent.RaffleOrderRefused;
import lottery.api.raffle.RaffleEvent.RequestAnswered;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.StrategyEvent;
import lottery.api.strategy.StrategyId;
import lottery.messaging.BatchPublisher;
import lottery.messaging.feed.FeedStockLevel.StockStep;
import lottery.store.axon.EventStreams;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.DisallowReplay;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.stereotype.Component;

/**
 * Publishes in the feed how the stock of awards and the budgets decrease. It counts the taken units in a table, in the
 * transaction of the feed's token. Therefore a batch that is handled again after a crash is counted once. The id of a
 * message follows from its step. A reader that skips known ids sees each step once, even if the process crashes after
 * sending and before the commit.
 */
@Component
@ProcessingGroup("feed")
@DisallowReplay
@ConditionalOnBooleanProperty(name = "lottery.feed.enabled", matchIfMissing = true)
final class StockFeedProjection {

    private static final String BATCH = StockFeedProjection.class.getName();

    /** An award of a version of a strategy. */
    private record VersionedAward(StrategyId strategyId, int version, int awardId) {}

    /**
     * The levels of stock that a batch of events has read and changed, and the data that was read to find them.
     *
     * @param draws the draws in this batch that have an award, kept for the events of their wins
     * @param pools the frozen pools of activities that are drawn at one time
     * @param stocks the stock of each award, for the versions of strategies that were read
     */
    private record StockLevelBatch(
            Map<StockId, FeedStockLevel> levels,
            Map<RaffleOrderId, RaffleDrawn> draws,
            Map<ActivityId, PoolFrozen> pools,
            Map<VersionedAward, Integer> stocks) {}

    private final StockFeedTable table;
    private final BatchPublisher batchPublisher;

    StockFeedProjection(StockFeedTable table, BatchPublisher batchPublisher) {
        this.table = table;
        this.batchPublisher = batchPublisher;
    }

    @EventHandler
    void on(RaffleDrawn drawn) {
        if (drawn.award() != null) {
            batch().draws().put(drawn.orderId(), drawn);
        }
    }

    @EventHandler
    void on(PoolFrozen frozen) {
        batch().pools().put(frozen.activityId(), frozen);
    }

    @EventHandler
    void on(AwardWon won, TrackedEventMessage<?> message, EventStore events) {
        if (won.unitTaken()) {
            totalOf(won, events)
                    .flatMap(total -> level(stockOf(won)).take(1, total))
                    .ifPresent(step -> tell(won, step, message));
        }
        BudgetShare share = won.budgetShare();
        if (share != null && won.insteadOf() != null) {
            // It is paid from the share of the award that it replaces, which is given back by a later event.
            level(StockId.ofBudget(won.activityId())).giveBack(-Budget.units(share.amount()));
        } else if (share != null) {
            level(StockId.ofBudget(won.activityId()))
                    .take(Budget.units(share.amount()), Budget.units(share.of()))
                    .ifPresent(step -> tellBudget(won.activityId(), step, message));
        }
    }

    private static StockId stockOf(AwardWon won) {
        return StockId.ofAward(won.activityId(), won.award().awardId());
    }

    @EventHandler
    void on(AwardForfeited forfeited, EventStore events) {
        giveBack(forfeited.awardRecordId(), events);
    }

    @EventHandler
    void on(AwardCompensated compensated, EventStore events) {
        giveBack(compensated.awardRecordId(), events);
    }

    @EventHandler
    void on(AwardVoided voided, EventStore events) {
        giveBack(voided.awardRecordId(), events);
    }

    private void giveBack(AwardRecordId awardRecordId, EventStore events) {
        EventStreams.select(events, awardRecordId.text(), AwardWon.class)
                .findFirst()
                .ifPresent(this::giveBack);
    }

    private void giveBack(AwardWon won) {
        if (won.unitTaken()) {
            level(stockOf(won)).giveBack(1);
        }
        BudgetShare share = won.budgetShare();
        if (share != null) {
            level(StockId.ofBudget(won.activityId())).giveBack(Budget.units(share.amount()));
        }
    }

    private void tellBudget(ActivityId activityId, StockStep step, TrackedEventMessage<?> message) {
        batchPublisher.sendInTurn(EventFeedPublisher.message(
                new ActivityFeedMessage.BudgetSpent(
                        activityId,
                        Budget.amountOf(step.total()),
                        Budget.amountOf(step.total() - step.left()),
                        FeedStockLevel.WHOLE - step.percent()),
                "budget:%d/%d/%d".formatted(activityId.value(), step.total(), step.percent()),
                message));
    }

    private void tell(AwardWon won, StockStep step, TrackedEventMessage<?> message) {
        String award =
                "%d/%d/%d".formatted(won.activityId().value(), won.award().awardId(), step.total());
        batchPublisher.sendInTurn(EventFeedPublisher.message(
                new ActivityFeedMessage.StockFell(
                        won.activityId(),
                        won.award().awardId(),
                        won.award().title(),
                        Math.toIntExact(step.total()),
                        Math.toIntExact(step.left()),
                        step.percent()),
                "stock:%s/%d".formatted(award, step.percent()),
                message));
        if (step.isSoldOut()) {
            batchPublisher.sendInTurn(EventFeedPublisher.message(
                    new ActivityFeedMessage.AwardSoldOut(
                            won.activityId(),
                            won.award().awardId(),
                            won.award().title(),
                            Math.toIntExact(step.total())),
                    "sold-out:" + award,
                    message));
        }
    }

    /** Returns the stock in the version of the strategy that has decided the draw. */
    private Optional<Integer> totalOf(AwardWon won, EventStore events) {
        RaffleOrderId orderId = new RaffleOrderId(won.awardRecordId().key());
        int awardId = won.award().awardId();
        RaffleDrawn known = batch().draws().get(orderId);
        Optional<RaffleEvent> decided = known == null ? first(orderId, events) : Optional.of(known);
        return decided.flatMap(event -> switch (event) {
                    case RaffleDrawn drawn ->
                        Optional.of(new VersionedAward(drawn.strategyId(), drawn.strategyVersion(), awardId));
                    case EntryMade entry ->
                        poolOf(entry.activityId(), events)
                                .map(pool -> new VersionedAward(pool.strategyId(), pool.strategyVersion(), awardId));
                    case RaffleOrderCreated _, RaffleOrderCancelled _, RaffleOrderRefused _, RequestAnswered _ ->
                        Optional.empty();
                })
                .map(award -> stockOf(award, events));
    }

    /** Returns the first event that says how an order was decided: by its own draw, or as an entry of a pool. */
    private static Optional<RaffleEvent> first(RaffleOrderId orderId, EventStore events) {
        return EventStreams.select(events, orderId.text(), RaffleEvent.class)
                .filter(event -> event instanceof RaffleDrawn || event instanceof EntryMade)
                .findFirst();
    }

    private Optional<PoolFrozen> poolOf(ActivityId activityId, EventStore events) {
        Map<ActivityId, PoolFrozen> pools = batch().pools();
        if (!pools.containsKey(activityId)) {
            EventStreams.select(events, new PoolId(activityId).text(), PoolFrozen.class)
                    .findFirst()
                    .ifPresent(frozen -> pools.put(activityId, frozen));
        }
        return Optional.ofNullable(pools.get(activityId));
    }

    private @Nullable Integer stockOf(VersionedAward award, EventStore events) {
        Map<VersionedAward, Integer> stocks = batch().stocks();
        if (!stocks.containsKey(award)) {
            EventStreams.select(events, award.strategyId().text(), StrategyEvent.class)
                    .forEach(defined -> addStocks(defined, stocks));
        }
        return stocks.get(award);
    }

    private static void addStocks(StrategyEvent defined, Map<VersionedAward, Integer> stocks) {
        for (AwardDefinition award : defined.definition().awards()) {
            if (award.stock() != null) {
                stocks.put(new VersionedAward(defined.strategyId(), defined.version(), award.awardId()), award.stock());
            }
        }
    }

    private FeedStockLevel level(StockId key) {
        return batch().levels().computeIfAbsent(key, table::read);
    }

    private StockLevelBatch batch() {
        UnitOfWork<?> unit = CurrentUnitOfWork.get().root();
        return unit.getOrComputeResource(BATCH, key -> {
            StockLevelBatch batch =
                    new StockLevelBatch(new HashMap<>(), new HashMap<>(), new HashMap<>(), new HashMap<>());
            // Handlers of this phase run in the reverse order of their registration. The transaction was registered
            // first and therefore commits after this.
            unit.onCommit(ending -> batch.levels().forEach(table::write));
            return batch;
        });
    }
}
