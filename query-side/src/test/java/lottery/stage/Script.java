package lottery.stage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import lottery.api.AggregateId;
import lottery.api.Event;
import lottery.api.UserId;
import lottery.api.account.AccountEvent.AccountRecharged;
import lottery.api.account.AccountEvent.ChanceReturned;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountEvent.LimitedAwardWon;
import lottery.api.account.AccountEvent.OpenOrderUsed;
import lottery.api.account.AccountId;
import lottery.api.account.RechargeId;
import lottery.api.activity.ActivityDefinition;
import lottery.api.activity.ActivityEvent.ActivityCreated;
import lottery.api.activity.ActivityId;
import lottery.api.activity.ChanceBundle;
import lottery.api.activity.DrawPlan;
import lottery.api.activity.DrawPlan.DrawMode;
import lottery.api.award.AwardEvent.AwardCompensated;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.pool.PoolEvent.PoolFrozen;
import lottery.api.pool.PoolId;
import lottery.api.raffle.Outcome;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleEvent.EntryMade;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.Remedy;
import lottery.api.strategy.StrategyDefinition;
import lottery.api.strategy.StrategyEvent.StrategyDefined;
import lottery.api.strategy.StrategyId;
import org.axonframework.config.EventProcessingConfiguration;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventhandling.StreamingEventProcessor;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Appends events to the store as the command side would, each to its aggregate's stream. */
public final class Script {

    private static final Map<String, String> BY_OLGA = Map.of("actor", "olga", "role", "operator");

    /** The award of all wins that have no draw here. */
    public static final int WON_AWARD = 7;

    private static final Duration REPLAY_MAX = Duration.ofSeconds(30);

    private final EventStore events;
    private final EventProcessingConfiguration processors;
    private final JdbcClient sql;
    private final RandomGenerator random = RandomGenerator.getDefault();
    private final AtomicLong ids = new AtomicLong();
    private final Map<String, Long> lengths = new ConcurrentHashMap<>();

    Script(EventStore events, EventProcessingConfiguration processors, JdbcClient sql) {
        this.events = events;
        this.processors = processors;
        this.sql = sql;
    }

    /** Appends an event to the end of the aggregate's stream. */
    public void happens(AggregateId aggregate, Event event) {
        long sequence = lengths.merge(aggregate.text(), 1L, Long::sum) - 1;
        events.publish(new GenericDomainEventMessage<>("test", aggregate.text(), sequence, event, BY_OLGA));
    }

    /** Creates an activity for one test, in Shanghai. */
    public ActivityId activity(AwardDefinition... awards) {
        StrategyId strategyId = new StrategyId(ids.incrementAndGet());
        ActivityId activityId = new ActivityId(ids.incrementAndGet());
        StrategyDefinition definition = StrategyDefinition.of(StrategyDefinition.Mode.SINGLE, List.of(awards), null);
        happens(strategyId, new StrategyDefined(strategyId, 1, definition));
        created(activityId, strategyId);
        return activityId;
    }

    /** Creates an activity with this strategy, in Shanghai too. */
    public void created(ActivityId activityId, StrategyId strategyId) {
        happens(activityId, new ActivityCreated(activityId, definition(strategyId, ZoneId.of("Asia/Shanghai"))));
    }

    /** Creates an activity with this strategy that is drawn at one time, and freezes its pool. In Shanghai too. */
    public void pool(ActivityId activityId, StrategyId strategyId) {
        Instant drawAt = Instant.parse("2026-03-31T04:00:00Z");
        ActivityDefinition atOnce = definition(strategyId, ZoneId.of("Asia/Shanghai"));
        happens(
                activityId,
                new ActivityCreated(
                        activityId,
                        new ActivityDefinition(
                                atOnce.name(),
                                atOnce.description(),
                                atOnce.beginsAt(),
                                atOnce.endsAt(),
                                atOnce.zone(),
                                strategyId,
                                null,
                                null,
                                null,
                                null,
                                null,
                                List.of(),
                                new DrawPlan(DrawMode.SCHEDULED, drawAt, drawAt.minus(DrawPlan.CLOSED_BEFORE), 0),
                                null)));
        happens(
                new PoolId(activityId),
                new PoolFrozen(activityId, 3, "00", 1, strategyId, 1, "hash of 1", "file", "round", drawAt, 0));
    }

    /** Enters the pool of an activity. */
    public void entered(AccountId account, String day, int before, int beforeToday) {
        RaffleOrderId order = order(account);
        happens(
                order,
                new EntryMade(
                        order,
                        account.activityId(),
                        account.userId(),
                        LocalDate.parse(day),
                        false,
                        before,
                        beforeToday,
                        Instant.parse(day + "T04:00:00Z")));
    }

    public static ActivityDefinition definition(StrategyId strategyId, ZoneId zone) {
        return new ActivityDefinition(
                "Spring",
                null,
                Instant.parse("2026-01-01T00:00:00Z"),
                Instant.parse("2026-12-31T00:00:00Z"),
                zone,
                strategyId,
                null,
                null,
                null,
                List.of());
    }

    /** Lets one user win the award only so often. */
    public static AwardDefinition perUser(AwardDefinition award, int times) {
        return award.but().maxPerUser(times).build();
    }

    /** Makes an award of the wheel. */
    public static AwardDefinition award(int awardId, int sort, int lockedUntilDraws) {
        return AwardDefinition.of(awardId, "Award " + awardId, AwardType.TEXT, new BigDecimal("0.1"))
                .config(Map.of("text", "Hello"))
                .sort(sort)
                .lockedUntilDraws(lockedUntilDraws)
                .build();
    }

    public void recharged(AccountId account, int total, int month, int day) {
        happens(
                account,
                new AccountRecharged(
                        account.activityId(),
                        account.userId(),
                        RechargeId.of(account.userId(), "business-" + ids.incrementAndGet()),
                        new ChanceBundle(total, month, day)));
    }

    /** Spends a chance, and draws at once. */
    public RaffleOrderId spent(AccountId account, String day) {
        return spent(account, day, false);
    }

    /** Spends a chance for an order that stays open. */
    public RaffleOrderId opened(AccountId account, String day) {
        return spent(account, day, true);
    }

    private RaffleOrderId spent(AccountId account, String day, boolean open) {
        RaffleOrderId order = order(account);
        happens(
                account,
                new ChanceSpent(account.activityId(), account.userId(), order, LocalDate.parse(day), open, false));
        return order;
    }

    /** Counts the win of an award that one user can win only so often. */
    public void limitedAwardWon(AccountId account, int awardId) {
        happens(account, new LimitedAwardWon(account.activityId(), account.userId(), order(account), awardId));
    }

    /** Draws the open order. */
    public void used(AccountId account, RaffleOrderId order, String day) {
        happens(account, new OpenOrderUsed(account.activityId(), account.userId(), order, LocalDate.parse(day)));
    }

    /** Returns the chance that was spent on this day. */
    public void returned(AccountId account, RaffleOrderId order, String day) {
        happens(account, new ChanceReturned(account.activityId(), account.userId(), order, LocalDate.parse(day)));
    }

    /** Makes a draw with this outcome by a version of a strategy, with nothing locked or sold out. */
    public void drawn(
            RaffleOrderId order,
            AccountId account,
            StrategyId strategyId,
            int version,
            Outcome outcome,
            @Nullable Prize prize) {
        happens(
                order,
                new RaffleDrawn(
                        order,
                        account.activityId(),
                        account.userId(),
                        strategyId,
                        version,
                        1,
                        0,
                        0,
                        List.of(),
                        null,
                        null,
                        null,
                        "00",
                        outcome,
                        prize,
                        Instant.parse("2026-03-31T04:00:00Z")));
    }

    public AwardRecordId won(ActivityId activityId, UserId userId, String title, String wonAt) {
        return won(activityId, userId, title, wonAt, GrantTime.AT_ONCE);
    }

    /** Wins an award that is not handed over at once. */
    public AwardRecordId won(ActivityId activityId, UserId userId, String title, String wonAt, GrantTime grant) {
        AwardRecordId win = AwardRecordId.of(order(new AccountId(activityId, userId)));
        happens(win, win(win, activityId, userId, title, wonAt, grant, null, null));
        return win;
    }

    /** Wins an award that needs no fulfilment. */
    public AwardRecordId wonAndGranted(ActivityId activityId, UserId userId, String title, String wonAt) {
        AwardRecordId win = AwardRecordId.of(order(new AccountId(activityId, userId)));
        happens(win, win(win, activityId, userId, title, wonAt, GrantTime.AT_ONCE, null, "text:" + win.key()));
        return win;
    }

    /** Wins a substitute for another win. */
    public AwardRecordId wonInsteadOf(
            AwardRecordId other, ActivityId activityId, UserId userId, String title, String wonAt) {
        AwardRecordId win = other.substituteFor(userId);
        happens(win, win(win, activityId, userId, title, wonAt, GrantTime.AT_ONCE, other, null));
        happens(other, new AwardCompensated(other, userId, Remedy.SUBSTITUTE, win));
        return win;
    }

    private static AwardWon win(
            AwardRecordId win,
            ActivityId activityId,
            UserId userId,
            String title,
            String wonAt,
            GrantTime grant,
            @Nullable AwardRecordId insteadOf,
            @Nullable String grantReference) {
        Prize prize = new Prize(WON_AWARD, title, AwardType.TEXT, 1, null);
        return new AwardWon(
                win,
                activityId,
                userId,
                prize,
                false,
                null,
                Map.of("text", "Show this for: " + title),
                grant,
                Remedy.MANUAL,
                insteadOf,
                Instant.parse(wonAt),
                grantReference);
    }

    private RaffleOrderId order(AccountId account) {
        return RaffleRequestIdentity.fresh(account, Instant.now(), random).id();
    }

    /** Stops the processor of this group, together with the groups that share it. */
    public void stop(String group) {
        processor(group).shutDown();
    }

    public void start(String group) {
        processor(group).start();
    }

    /** Delivers every event once more, from the first one on, and waits until the last one was handled. */
    public void replay(String group) {
        StreamingEventProcessor processor = processor(group);
        long last = events.createHeadToken().position().orElseThrow();
        processor.shutDown();
        sql.sql("DELETE FROM token WHERE processor = ?")
                .param(processor.getName())
                .update();
        processor.start();
        await("replay of " + group)
                .atMost(REPLAY_MAX)
                .untilAsserted(() -> assertThat(processor.processingStatus().values())
                        .isNotEmpty()
                        .allMatch(segment -> segment.getCurrentPosition().orElse(-1) >= last));
    }

    private StreamingEventProcessor processor(String group) {
        return processors
                .<StreamingEventProcessor>eventProcessorByProcessingGroup(group)
                .orElseThrow();
    }
}
