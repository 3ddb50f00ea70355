package lottery.pool;

import static org.axonframework.modelling.command.AggregateLifecycle.createNew;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import lottery.activity.ActivityCache;
import lottery.activity.ActivityProgress;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ApprovedStrategy;
import lottery.api.activity.DrawPlan;
import lottery.api.activity.StockId;
import lottery.api.award.AwardCommand.RecordPoolWin;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardProgress;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.pool.PoolEvent.PoolFrozen;
import lottery.api.pool.PoolEvent.PoolOrdered;
import lottery.api.pool.PoolEvent.PoolPageDrawn;
import lottery.api.pool.PoolWin;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleEvent.EntryMade;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.Remedy;
import lottery.award.AwardRecord;
import lottery.award.GrantOnWinDecider;
import lottery.fairness.PublicRandomness;
import lottery.fairness.SeedCache;
import lottery.rule.CompiledStrategy;
import lottery.stock.StockUnitSource;
import lottery.store.axon.EventStreams;
import lottery.store.axon.HistoryReader;
import lottery.store.axon.NamedNumberSeries.AssignedNumber;
import lottery.strategy.StrategyCache;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.stereotype.Component;

/** Freezes a pool, orders its entries, and gives the wins. Only parts of a large pool are in memory at a time. */
@Component
class PoolDrawExecutor {

    /** The most wins in one commit. Each win first takes a unit of its award's stock. */
    static final int PAGE = 200;

    /**
     * The time from a late freeze to the draw. The draw must use a random value that nobody knows at the freeze, so the
     * time of the draw lies in the future.
     */
    private static final Duration AFTER_LATE_FREEZE = Duration.ofSeconds(30);

    private final ActivityCache activities;
    private final StrategyCache strategies;
    private final SeedCache seeds;
    private final PublicRandomness beacon;
    private final StoredEntryNumberSeries numbers;
    private final FrozenPoolTable table;
    private final StockUnitSource stock;
    private final GrantOnWinDecider directGrants;
    private final PoolWinSender otherLogs;
    private final HistoryReader history;
    private final EventStore events;
    private final InstantSource clock;

    PoolDrawExecutor(
            ActivityCache activities,
            StrategyCache strategies,
            SeedCache seeds,
            PublicRandomness beacon,
            StoredEntryNumberSeries numbers,
            FrozenPoolTable table,
            StockUnitSource stock,
            GrantOnWinDecider directGrants,
            PoolWinSender otherLogs,
            HistoryReader history,
            EventStore events,
            InstantSource clock) {
        this.activities = activities;
        this.strategies = strategies;
        this.seeds = seeds;
        this.beacon = beacon;
        this.numbers = numbers;
        this.table = table;
        this.stock = stock;
        this.directGrants = directGrants;
        this.otherLogs = otherLogs;
        this.history = history;
        this.events = events;
        this.clock = clock;
    }

    /**
     * Computes the root of a closed pool, and returns the facts that decide its draw. If the planned time of the draw
     * is over, these facts have a later time, because the random value of the planned time may be known.
     */
    Answer<PoolFrozen> freeze(ActivityId activityId) {
        // The freeze fixes the version of the strategy for good, so it must not miss one that was adopted just now.
        return activities.findInLog(activityId).then(activity -> {
            DrawPlan plan = activity.definition().draw();
            CompiledStrategy rules = activity.rulesIn(strategies).orElse(null);
            if (plan == null || rules == null) {
                return Answer.no(new Refused(Refusal.DRAW_MODE, activityId.text()));
            }
            if (!beacon.isThere()) {
                throw new IllegalStateException("this process has no source of public random values");
            }
            ApprovedStrategy approved = Objects.requireNonNull(activity.approved());
            numbers.gather(activityId);
            List<byte[]> roots = chunks(activityId);
            Instant now = clock.instant();
            Instant drawAt = now.isBefore(plan.drawAt())
                    ? plan.drawAt()
                    : now.plus(AFTER_LATE_FREEZE).truncatedTo(ChronoUnit.SECONDS);
            return Answer.done(new PoolFrozen(
                    activityId,
                    numbers.count(activityId),
                    HexFormat.of().formatHex(EntryTree.root(roots)),
                    activity.round().number(),
                    rules.strategyId(),
                    rules.version(),
                    approved.hash(),
                    beacon.source(),
                    beacon.roundAt(drawAt),
                    drawAt,
                    plan.reserves()));
        });
    }

    /** Stores the leaves of the pool chunk by chunk, and returns the roots of the chunks. */
    private List<byte[]> chunks(ActivityId activityId) {
        List<byte[]> roots = new ArrayList<>();
        int entries = numbers.count(activityId);
        for (int above = 0; above < entries; above += EntryTree.CHUNK) {
            List<byte[]> leaves = new ArrayList<>();
            for (AssignedNumber entry : numbers.above(activityId, above, EntryTree.CHUNK)) {
                leaves.add(EntryTree.leaf(activityId, entry.number(), entry.holder()));
            }
            int expected = Math.min(EntryTree.CHUNK, entries - above);
            if (leaves.size() != expected) {
                throw new IllegalStateException(
                        "%s has %d entries above %d, not %d".formatted(activityId, leaves.size(), above, expected));
            }
            byte[] root = EntryTree.root(leaves);
            table.storeLeaves(activityId, roots.size(), joined(leaves), root);
            roots.add(root);
        }
        return roots;
    }

    private static byte[] joined(List<byte[]> leaves) {
        byte[] joined = new byte[leaves.size() * EntryTree.HASH];
        for (int i = 0; i < leaves.size(); i++) {
            System.arraycopy(leaves.get(i), 0, joined, i * EntryTree.HASH, EntryTree.HASH);
        }
        return joined;
    }

    /** Orders the entries by the public random value; empty as long as this process does not know the value. */
    Optional<PoolOrdered> order(PoolFrozen frozen) {
        if (!frozen.beacon().equals(beacon.source())) {
            return Optional.empty();
        }
        return beacon.valueOf(frozen.beaconRound()).map(value -> {
            ActivityProgress activity = activities.find(frozen.activityId()).orThrow();
            PoolShuffleKey key =
                    PoolShuffleKey.of(seeds.of(activity.round(frozen.round()).orThrow()), frozen, value);
            storeOrder(frozen, key);
            int winners = awards(frozen).winnersAmong(frozen.entries());
            return new PoolOrdered(
                    frozen.activityId(),
                    value,
                    key.hex(),
                    winners,
                    Math.min(frozen.reserves(), frozen.entries() - winners));
        });
    }

    private void storeOrder(PoolFrozen frozen, PoolShuffleKey key) {
        PoolDrawOrder order = new PoolDrawOrder(frozen.entries(), key);
        table.readLeaves(frozen.activityId(), leaves -> {
            for (int from = 0; from < leaves.length; from += EntryTree.HASH) {
                order.add(leaves, from);
            }
        });
        table.storeOrder(frozen.activityId(), key.hex(), order.sorted());
    }

    /**
     * Makes sure that the stored order of the entries follows from the draw key in the event {@code PoolOrdered}. If it
     * does not, the order is computed from that key and stored again. There are two possible causes: the stored order
     * is lost, or another process has stored an order by another random value.
     */
    private void requireOrder(PoolFrozen frozen, PoolOrdered ordered) {
        if (!table.isOrderedBy(frozen.activityId(), ordered.drawKey())) {
            storeOrder(frozen, new PoolShuffleKey(ordered.drawKey()));
        }
    }

    /** Returns the next page of wins. It begins after the places that have their wins already. */
    PoolPageDrawn page(PoolFrozen frozen, PoolOrdered ordered, int placesDrawn) {
        requireOrder(frozen, ordered);
        int size = Math.min(PAGE, ordered.winners() - placesDrawn);
        List<PoolWin> wins = new ArrayList<>();
        PoolAwardPlaces awards = awards(frozen);
        int place = placesDrawn;
        for (int entryNo : table.entriesFrom(frozen.activityId(), ordered.drawKey(), placesDrawn + 1, size)) {
            place++;
            int won = place;
            wins.add(win(
                    frozen,
                    ordered,
                    place,
                    entryNo,
                    awards.at(place).orElseThrow(() -> new IllegalStateException("no award at place " + won))));
        }
        if (wins.size() != size) {
            throw new IllegalStateException("the order of " + frozen.activityId() + " is not stored");
        }
        return new PoolPageDrawn(frozen.activityId(), wins);
    }

    /** Returns the win of the reserve at a place. */
    PoolWin reserve(PoolFrozen frozen, PoolOrdered ordered, int place, AwardDefinition award) {
        requireOrder(frozen, ordered);
        return win(frozen, ordered, place, table.entryAt(frozen.activityId(), ordered.drawKey(), place), award);
    }

    private PoolWin win(PoolFrozen frozen, PoolOrdered ordered, int place, int entryNo, AwardDefinition award) {
        RaffleOrderId orderId = RaffleOrderId.of(
                numbers.above(frozen.activityId(), entryNo - 1, 1).getFirst().holder());
        return new PoolWin(
                place,
                entryNo,
                orderId,
                award.awardId(),
                PoolAwardPlaces.amountOf(award, new PoolShuffleKey(ordered.drawKey()), orderId));
    }

    /**
     * Gives wins with the current unit of work. Each win takes a unit of the award, and creates an award record that
     * goes its usual way. Records in other logs are created before the commit of this unit. If that fails, the same
     * wins are given again, because they follow from the order of the entries.
     */
    void give(PoolFrozen frozen, List<PoolWin> wins) {
        ActivityProgress activity = activities.find(frozen.activityId()).orThrow();
        PoolAwardPlaces awards = awards(frozen);
        Map<RaffleOrderId, EntryMade> entries = entries(wins);
        Instant now = clock.instant();
        List<RecordPoolWin> elsewhere = new ArrayList<>();
        for (PoolWin win : wins) {
            AwardDefinition award = awards.award(win.awardId())
                    .orElseThrow(() -> new IllegalStateException("no award " + win.awardId()));
            EntryMade entry = Optional.ofNullable(entries.get(win.orderId()))
                    .orElseThrow(() -> new IllegalStateException(win.orderId() + " is no entry"));
            AwardWon won = won(activity, award, win, entry, now);
            RecordPoolWin recorded =
                    new RecordPoolWin(won, Optional.ofNullable(award.stock()).orElse(0));
            if (otherLogs.hold(won.awardRecordId())) {
                elsewhere.add(recorded);
            } else {
                create(recorded);
            }
        }
        otherLogs.send(elsewhere);
    }

    private Map<RaffleOrderId, EntryMade> entries(List<PoolWin> wins) {
        Map<RaffleOrderId, EntryMade> entries = new HashMap<>();
        for (DomainEventMessage<?> event :
                history.eventsOf(wins.stream().map(win -> win.orderId().text()).toList())) {
            if (event.getPayload() instanceof EntryMade entry) {
                entries.put(entry.orderId(), entry);
            }
        }
        return entries;
    }

    private AwardWon won(ActivityProgress activity, AwardDefinition award, PoolWin win, EntryMade entry, Instant now) {
        AwardRecordId id = AwardRecordId.of(win.orderId());
        GrantTime time = activity.grantTime(award.grant());
        return new AwardWon(
                id,
                activity.activityId(),
                entry.userId(),
                new Prize(award.awardId(), award.title(), award.type(), award.sort(), win.amount()),
                true,
                null,
                award.config(),
                time,
                Remedy.MANUAL,
                null,
                now,
                directGrants.reference(id, award.type(), time));
    }

    private void create(RecordPoolWin win) {
        AwardWon won = win.won();
        stock.takeOrFail(StockId.ofAward(won.activityId(), won.award().awardId()), win.stock());
        try {
            createNew(AwardRecord.class, () -> new AwardRecord(won));
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("could not create " + won.awardRecordId(), e);
        }
    }

    /**
     * Returns the award of a forfeited or voided award record of this pool, so its winner does not get it. Any other
     * record is refused.
     */
    Answer<AwardDefinition> vacated(PoolFrozen frozen, AwardRecordId recordId) {
        return EventStreams.fold(events, recordId.text(), AwardProgress::after)
                .filter(record -> record.won().activityId().equals(frozen.activityId()))
                .filter(record -> record.state() == AwardState.FORFEITED || record.state() == AwardState.VOIDED)
                .flatMap(record -> awards(frozen).award(record.won().award().awardId()))
                .map(Answer::done)
                .orElseGet(() -> Answer.no(new Refused(Refusal.AWARD_STATE, recordId.text())));
    }

    PoolAwardPlaces awards(PoolFrozen frozen) {
        return strategies
                .find(frozen.strategyId(), frozen.strategyVersion())
                .map(CompiledStrategy::definition)
                .map(PoolAwardPlaces::new)
                .orElseThrow(() -> new IllegalStateException(frozen.activityId() + " was frozen with a strategy"));
    }
}
