package lottery.view.figures;

import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import lottery.api.account.AccountEvent;
import lottery.api.account.AccountEvent.ChanceReturned;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleEvent.EntryMade;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.strategy.StrategyId;
import lottery.store.projection.BatchProjection;
import lottery.view.UnnestColumn;
import lottery.view.activity.PoolOfWinLookup;
import lottery.view.activity.StartedActivityDefinitions;
import lottery.view.figures.FigureProjection.Addition;
import lottery.view.strategy.StrategyVersionLogReader;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.Timestamp;
import org.axonframework.eventhandling.TrackingToken;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/**
 * Sums up draws, entries and chances by day and award. The sums of a batch are added with one statement, in the
 * transaction that stores the token of the processor. So each event is counted exactly once.
 */
@Component
@ProcessingGroup(FigureProjection.GROUP)
class FigureProjection extends BatchProjection<Map<FigureKey, Addition>> {

    static final String GROUP = "figures";

    private static final String TABLE = "view_figure";

    private static final String ADD = """
            INSERT INTO view_figure AS known (activity_id, day, award_id, draws, players, new_players, cost,
                free, recharged, spent, returned, position, entries)
            SELECT * FROM unnest(?::bigint[], ?::date[], ?::integer[], ?::bigint[], ?::bigint[], ?::bigint[],
                ?::numeric[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[], ?::bigint[])
            ON CONFLICT (activity_id, day, award_id) DO UPDATE
            SET draws = known.draws + excluded.draws, players = known.players + excluded.players,
                new_players = known.new_players + excluded.new_players, cost = known.cost + excluded.cost,
                free = known.free + excluded.free, recharged = known.recharged + excluded.recharged,
                spent = known.spent + excluded.spent, returned = known.returned + excluded.returned,
                entries = known.entries + excluded.entries,
                position = greatest(known.position, excluded.position)""";

    private final JdbcOperations database;
    private final StartedActivityDefinitions activities;
    private final PoolOfWinLookup pools;
    private final StrategyVersionLogReader strategies;

    FigureProjection(
            JdbcOperations database,
            StartedActivityDefinitions activities,
            PoolOfWinLookup pools,
            StrategyVersionLogReader strategies) {
        super(database, TABLE);
        this.database = database;
        this.activities = activities;
        this.pools = pools;
        this.strategies = strategies;
    }

    /**
     * The counts that a batch adds to a row.
     *
     * @param position the position of the newest event in these counts
     */
    record Addition(FigureKey key, FigureCounts counts, long position) {

        Addition plus(Addition newer) {
            return new Addition(key, counts.plus(newer.counts), newer.position);
        }
    }

    @EventHandler
    void on(RaffleDrawn drawn, TrackingToken token) {
        Prize award = drawn.award();
        add(
                drawn.activityId(),
                drawn.drawnAt(),
                award == null ? FigureKey.NOTHING : award.awardId(),
                FigureCounts.of(
                        drawn,
                        award == null ? BigDecimal.ZERO : cost(drawn.strategyId(), drawn.strategyVersion(), award)),
                token);
    }

    /** An entry counts on the day for which its chance was spent. */
    @EventHandler
    void on(EntryMade entry, TrackingToken token) {
        add(entry.activityId(), entry.day(), FigureKey.NOTHING, FigureCounts.of(entry), token);
    }

    /** Counts a win of a pool. Other awards are counted with the draw that won them. */
    @EventHandler
    void on(AwardWon won, TrackingToken token) {
        pools.poolOf(won)
                .ifPresent(pool -> add(
                        won.activityId(),
                        won.wonAt(),
                        won.award().awardId(),
                        FigureCounts.ofPoolWin(cost(pool.strategyId(), pool.strategyVersion(), won.award())),
                        token));
    }

    private BigDecimal cost(StrategyId strategyId, int version, Prize award) {
        return strategies.find(strategyId, version).stream()
                .flatMap(definition -> definition.awards().stream())
                .filter(defined -> defined.awardId() == award.awardId())
                .map(defined -> Objects.requireNonNullElse(defined.cost(), BigDecimal.ZERO))
                .findFirst()
                .orElse(BigDecimal.ZERO);
    }

    /**
     * Spent and returned chances count on the day for which they were spent. Other chances count on the day on which
     * they were given.
     */
    @EventHandler
    void on(AccountEvent event, TrackingToken token, @Timestamp Instant at) {
        FigureCounts counts = FigureCounts.of(event);
        switch (event) {
            case ChanceSpent spent -> add(event.activityId(), spent.day(), FigureKey.NOTHING, counts, token);
            case ChanceReturned returned -> add(event.activityId(), returned.day(), FigureKey.NOTHING, counts, token);
            case AccountEvent _
            when !counts.equals(FigureCounts.NONE) -> add(event.activityId(), at, FigureKey.NOTHING, counts, token);
            case AccountEvent _ -> {
                // The other events are not counted.
            }
        }
    }

    private void add(ActivityId activityId, Instant at, int awardId, FigureCounts counts, TrackingToken token) {
        activities
                .find(activityId)
                .ifPresent(
                        activity -> add(activityId, LocalDate.ofInstant(at, activity.zone()), awardId, counts, token));
    }

    private void add(ActivityId activityId, LocalDate day, int awardId, FigureCounts counts, TrackingToken token) {
        FigureKey key = new FigureKey(activityId.value(), day, awardId);
        batch().merge(key, new Addition(key, counts, token.position().orElseThrow()), Addition::plus);
    }

    @Override
    protected Map<FigureKey, Addition> begin() {
        return new HashMap<>();
    }

    @Override
    protected void write(Map<FigureKey, Addition> batch, String table) {
        List<Addition> rows = List.copyOf(batch.values());
        database.execute((ConnectionCallback<Integer>) connection -> {
            try (PreparedStatement add = connection.prepareStatement(ADD.replace(TABLE, table))) {
                add.setArray(
                        1,
                        UnnestColumn.of(
                                connection, "bigint", rows, row -> row.key().activityId()));
                add.setArray(
                        2,
                        UnnestColumn.of(
                                connection, "text", rows, row -> row.key().day().toString()));
                add.setArray(
                        3,
                        UnnestColumn.of(
                                connection, "integer", rows, row -> row.key().awardId()));
                add.setArray(
                        4,
                        UnnestColumn.of(
                                connection, "bigint", rows, row -> row.counts().draws()));
                add.setArray(
                        5,
                        UnnestColumn.of(
                                connection, "bigint", rows, row -> row.counts().players()));
                add.setArray(
                        6,
                        UnnestColumn.of(
                                connection, "bigint", rows, row -> row.counts().newPlayers()));
                add.setArray(
                        7,
                        UnnestColumn.of(
                                connection, "numeric", rows, row -> row.counts().cost()));
                add.setArray(
                        8,
                        UnnestColumn.of(
                                connection, "bigint", rows, row -> row.counts().free()));
                add.setArray(
                        9,
                        UnnestColumn.of(
                                connection, "bigint", rows, row -> row.counts().recharged()));
                add.setArray(
                        10,
                        UnnestColumn.of(
                                connection, "bigint", rows, row -> row.counts().spent()));
                add.setArray(
                        11,
                        UnnestColumn.of(
                                connection, "bigint", rows, row -> row.counts().returned()));
                add.setArray(12, UnnestColumn.of(connection, "bigint", rows, Addition::position));
                add.setArray(
                        13,
                        UnnestColumn.of(
                                connection, "bigint", rows, row -> row.counts().entries()));
                return add.executeUpdate();
            }
        });
    }
}
