package lottery.raffle;

import static org.mockito.Mockito.mock;

import java.math.BigDecimal;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import lottery.activity.ActivitiesInLog;
import lottery.activity.ActivityCache;
import lottery.api.AggregateId;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityEvent;
import lottery.api.activity.ActivityEvent.ActivityClosed;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityEvent.ActivityPassed;
import lottery.api.activity.ActivityEvent.ActivityPaused;
import lottery.api.activity.ActivityEvent.ActivityStarted;
import lottery.api.activity.ActivityEvent.ActivitySubmitted;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ChanceBundle;
import lottery.api.activity.DrawPlan;
import lottery.api.activity.SkuId;
import lottery.api.activity.SkuLimit;
import lottery.api.activity.SkuOffer;
import lottery.api.activity.StockId;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.raffle.Outcome;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.Remedy;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyEvent.StrategyDefined;
import lottery.api.strategy.StrategyId;
import lottery.award.GrantOnWinDecider;
import lottery.credit.CreditBooker;
import lottery.credit.PurseInLog;
import lottery.fairness.Seed;
import lottery.fairness.SeedCache;
import lottery.fairness.SeedCipher;
import lottery.pool.EntriesInMemory;
import lottery.stock.ActivityBudgetStock;
import lottery.stock.StockInMemory;
import lottery.store.axon.NamedNumberSeries;
import lottery.store.axon.UniqueKeyClaims;
import lottery.store.vault.SecretCipher;
import lottery.strategy.StrategiesInLog;
import lottery.strategy.StrategyCache;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventsourcing.EventSourcingRepository;
import org.axonframework.eventsourcing.eventstore.EmbeddedEventStore;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.eventsourcing.eventstore.inmemory.InMemoryEventStorageEngine;
import org.axonframework.modelling.command.Repository;
import org.axonframework.modelling.command.RepositoryProvider;
import org.jspecify.annotations.Nullable;

/**
 * One open activity, with a strategy that always wins a coffee, at a fixed moment and with a seed of zeros. It holds
 * all that the aggregates of a draw need, real and without a server; only {@link #claims} is a mock. Aggregates other
 * than the one that a fixture tests are read from {@link #log} and written to it.
 */
public final class RaffleInMemory {

    public static final ActivityId ACTIVITY = new ActivityId(100);

    /** Noon on the 21st of November in the activity's zone. */
    public static final Instant NOW = Instant.parse("2026-11-21T04:00:00Z");

    public static final SkuId SKU = new SkuId(1);
    /** A SKU that costs ten credits, and of which there is one unit. */
    public static final SkuId PRICED_SKU = new SkuId(2);

    public static final SkuId LIMITED_SKU = new SkuId(3);
    /** A SKU that one user can have once a day. */
    public static final SkuId DAILY_SKU = new SkuId(4);

    public static final ChanceBundle BUNDLE = new ChanceBundle(3, 2, 1);

    /** The number of participations that the activity allows. */
    public static final int PARTICIPATIONS = 3;

    private static final Duration DAY = Duration.ofDays(1);
    private static final Instant ENTRIES_CLOSE_AT = NOW.plus(Duration.ofHours(1));
    private static final StrategyId STRATEGY = new StrategyId(7);
    private static final Prize COFFEE = new Prize(1, "Coffee", AwardType.TEXT, 1, null);
    private static final Prize TEA = new Prize(2, "Tea", AwardType.TEXT, 2, null);
    private static final Map<String, String> CONFIG = Map.of("text", "Show this");
    private static final Seed ZEROS = Seed.of("00".repeat(32));
    private static final SeedCipher VAULT = new SeedCipher(
            SecretCipher.of("LOTTERY_SEEDS", Map.of("k1", Base64.getEncoder().encodeToString(new byte[32])), "k1"));

    public final EventStore log = EmbeddedEventStore.builder()
            .storageEngine(new InMemoryEventStorageEngine())
            .build();

    public final EntriesInMemory entries = new EntriesInMemory();

    /** Lets every claim be taken, and says that none is held. */
    public final UniqueKeyClaims claims = mock(UniqueKeyClaims.class);

    public final StockInMemory stock = new StockInMemory();
    public final StrategyCache strategies = StrategiesInLog.of(log);
    public final RaffleOrderFacade orders;

    public final GrantOnWinDecider directGrants =
            new GrantOnWinDecider(Set.of(AwardType.TEXT), true, true, true, true, mock(NamedNumberSeries.class));

    private Instant now = NOW;
    public final InstantSource clock = () -> now;
    public final ActivityCache activities = ActivitiesInLog.of(log, clock);

    /** Makes an activity without free chances. */
    public RaffleInMemory() {
        this(null);
    }

    public RaffleInMemory(@Nullable ChanceBundle free) {
        this(strategy(null), started(activity(free, null)));
    }

    private RaffleInMemory(StrategyDefinition strategy, List<ActivityEvent> history) {
        CreditBooker creditBooker = PurseInLog.of(log, claims, clock);
        orders = new RaffleOrderFacade(
                log,
                repository(RaffleOrder.class),
                new DrawDecider(
                        strategies,
                        stock,
                        new ActivityBudgetStock(stock),
                        new SeedCache(VAULT),
                        directGrants,
                        creditBooker),
                creditBooker);
        given(STRATEGY, new StrategyDefined(STRATEGY, 1, strategy));
        given(ACTIVITY, history.toArray());
    }

    /** Makes an activity with a pool: its entries are drawn together, at its end. */
    public static RaffleInMemory pooled() {
        DrawPlan plan = new DrawPlan(DrawPlan.DrawMode.SCHEDULED, NOW.plus(DAY), ENTRIES_CLOSE_AT, 0);
        return new RaffleInMemory(strategy(null), started(activity(null, plan)));
    }

    /** Makes an activity whose strategy has a fallback: a tea. */
    public static RaffleInMemory withFallback() {
        return new RaffleInMemory(strategy(TEA), started(activity(null, null)));
    }

    /** Makes a log in which {@link #ACTIVITY} does not exist. */
    public static RaffleInMemory withoutActivity() {
        return new RaffleInMemory(strategy(null), List.of());
    }

    private static List<ActivityEvent> started(ActivityDefinition definition) {
        return List.of(
                new ActivityCreated(ACTIVITY, definition),
                new ActivitySubmitted(ACTIVITY),
                new ActivityPassed(ACTIVITY, 1, "hash of 1"),
                new ActivityStarted(
                        ACTIVITY,
                        1,
                        ZEROS.commitment(),
                        VAULT.seal(ZEROS, ACTIVITY, 1, new NoRandomness()),
                        "bound to 1"));
    }

    /** Closes the activity. It has to be called before the first command, which caches the activity. */
    public RaffleInMemory close() {
        given(ACTIVITY, new ActivityClosed(ACTIVITY));
        return this;
    }

    /** Pauses the activity. It has to be called before the first command, which caches the activity. */
    public RaffleInMemory pause() {
        given(ACTIVITY, new ActivityPaused(ACTIVITY));
        return this;
    }

    /** Passes the activity's last day. It has to be called before the first command, which caches the activity. */
    public RaffleInMemory end() {
        now = NOW.plus(DAY).plusNanos(1);
        return this;
    }

    /** Passes the time until which an activity with a pool takes entries. */
    public void closeEntries() {
        now = ENTRIES_CLOSE_AT;
    }

    /** Takes this number of participations for somebody else. */
    public RaffleInMemory takeParticipations(int count) {
        for (int i = 0; i < count; i++) {
            stock.take(StockId.ofActivity(ACTIVITY), PARTICIPATIONS);
        }
        return this;
    }

    /** Adds events to the history of an aggregate. */
    public void given(AggregateId id, Object... events) {
        long sequence = log.lastSequenceNumberFor(id.text()).orElse(-1L);
        for (Object event : events) {
            log.publish(new GenericDomainEventMessage<>("given", id.text(), ++sequence, event));
        }
    }

    /** Returns the stored events of an aggregate other than the one under test. */
    public List<Object> stored(AggregateId id) {
        return log.readEvents(id.text())
                .asStream()
                .<Object>map(message -> message.getPayload())
                .toList();
    }

    /** Returns a repository that loads from {@link #log} and stores to it, also what these aggregates create. */
    public <T> Repository<T> repository(Class<T> type) {
        return EventSourcingRepository.builder(type)
                .eventStore(log)
                .repositoryProvider(new RepositoryProvider() {
                    @Override
                    public <R> Repository<R> repositoryFor(Class<R> created) {
                        return repository(created);
                    }
                })
                .build();
    }

    /** Returns the event of a draw in this activity. */
    public static RaffleDrawn drawn(DrawDecisionInput due) {
        return new RaffleDrawn(
                due.orderId(),
                due.account().activityId(),
                due.account().userId(),
                STRATEGY,
                1,
                1,
                due.before().total(),
                due.before().today(),
                List.of(),
                null,
                null,
                null,
                DrawTicket.of(ZEROS, due.orderId()).hex(),
                Outcome.WON,
                COFFEE,
                NOW);
    }

    /** Returns the award that a draw wins here, which needs no fulfilment. */
    public static AwardWon won(DrawDecisionInput due) {
        return won(due, "text:" + due.orderId().key());
    }

    /** Returns the same award, if it needs fulfilment. */
    public static AwardWon wonForLater(DrawDecisionInput due) {
        return won(due, null);
    }

    private static AwardWon won(DrawDecisionInput due, @Nullable String grantReference) {
        return new AwardWon(
                AwardRecordId.of(due.orderId()),
                due.account().activityId(),
                due.account().userId(),
                COFFEE,
                false,
                null,
                CONFIG,
                GrantTime.AT_ONCE,
                Remedy.MANUAL,
                null,
                NOW,
                grantReference);
    }

    /** Returns the award that replaces a rejected one, if the strategy has a fallback. */
    public static AwardWon substitute(AwardWon rejected) {
        AwardRecordId id = rejected.awardRecordId().substituteFor(rejected.userId());
        return new AwardWon(
                id,
                rejected.activityId(),
                rejected.userId(),
                TEA,
                false,
                null,
                CONFIG,
                GrantTime.AT_ONCE,
                Remedy.MANUAL,
                rejected.awardRecordId(),
                NOW,
                "text:" + id.key());
    }

    /** Returns a strategy that always wins a coffee; or, if there is a fallback, wins either of them. */
    private static StrategyDefinition strategy(@Nullable Prize fallback) {
        return fallback == null
                ? StrategyDefinition.of(StrategyDefinition.Mode.SINGLE, List.of(award(COFFEE, BigDecimal.ONE)), null)
                : StrategyDefinition.of(
                        StrategyDefinition.Mode.SINGLE,
                        List.of(award(COFFEE, new BigDecimal("0.9")), award(fallback, new BigDecimal("0.1"))),
                        fallback.awardId());
    }

    private static AwardDefinition award(Prize prize, BigDecimal rate) {
        return AwardDefinition.of(prize.awardId(), prize.title(), prize.type(), rate)
                .config(CONFIG)
                .sort(prize.sort())
                .build();
    }

    private static ActivityDefinition activity(@Nullable ChanceBundle free, @Nullable DrawPlan plan) {
        return new ActivityDefinition(
                "Spring",
                null,
                NOW.minus(DAY),
                NOW.plus(DAY),
                ZoneId.of("Asia/Shanghai"),
                STRATEGY,
                PARTICIPATIONS,
                free,
                null,
                null,
                null,
                List.of(
                        offer(SKU, null, null),
                        offer(PRICED_SKU, 1, BigDecimal.TEN),
                        offer(LIMITED_SKU, 1, null),
                        new SkuOffer(
                                DAILY_SKU, null, BUNDLE, null, null, new SkuLimit(1, SkuLimit.Period.DAY), null, null)),
                plan,
                null);
    }

    private static SkuOffer offer(SkuId sku, @Nullable Integer stock, @Nullable BigDecimal price) {
        return new SkuOffer(sku, null, BUNDLE, stock, price, null, null, null);
    }

    /** Returns zeros: no secret is needed here. */
    private static final class NoRandomness extends SecureRandom {

        @Override
        public void nextBytes(byte[] bytes) {
            Arrays.fill(bytes, (byte) 0);
        }
    }
}
