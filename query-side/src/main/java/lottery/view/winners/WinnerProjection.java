package lottery.view.winners;

import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.raffle.Outcome;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.strategy.StrategyDefinition;
import lottery.store.projection.BatchProjection;
import lottery.view.UnnestColumn;
import lottery.view.activity.PoolOfWinLookup;
import lottery.view.strategy.StrategyVersionLogReader;
import lottery.view.winners.WinnerProjection.WinnerColumns;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.TrackingToken;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/**
 * Projects the winners of awards that a draw has picked, and the winners of pools. Substitutes are left out: the
 * fallback that a draw gives, and an award that was won later in place of another one. The fallback award is left out
 * even if a draw picks it, because it may be what most draws win.
 */
@Component
@ProcessingGroup("winners")
class WinnerProjection extends BatchProjection<List<WinnerColumns>> {

    private static final String TABLE = "view_winner";

    /**
     * The most rows that are kept for each activity. A subscriber that has missed more winners than this never sees the
     * oldest of them.
     */
    static final int KEPT_MAX = 1_000;

    private static final String ADD = """
            INSERT INTO view_winner (position, activity_id, name, award_id, title, type, amount, won_at)
            SELECT * FROM unnest(?::bigint[], ?::bigint[], ?::text[], ?::integer[], ?::text[], ?::text[], ?::numeric[],
                                 ?::timestamptz[])
            ON CONFLICT DO NOTHING""";

    private static final String TRIM = """
            DELETE FROM view_winner WHERE activity_id = ? AND position <= (
                SELECT position FROM view_winner WHERE activity_id = ? ORDER BY position DESC OFFSET ? LIMIT 1)""";

    private final JdbcOperations database;
    private final PoolOfWinLookup pools;
    private final StrategyVersionLogReader promised;

    WinnerProjection(JdbcOperations database, PoolOfWinLookup pools, StrategyVersionLogReader promised) {
        super(database, TABLE);
        this.database = database;
        this.pools = pools;
        this.promised = promised;
    }

    /** A row of the table. */
    record WinnerColumns(
            long position,
            long activityId,
            String name,
            int awardId,
            String title,
            String type,
            @Nullable BigDecimal amount,
            String wonAt) {

        static WinnerColumns of(ActivityId activityId, UserId userId, Prize prize, Instant wonAt, long position) {
            return new WinnerColumns(
                    position,
                    activityId.value(),
                    UserIdMask.of(userId.value()),
                    prize.awardId(),
                    prize.title(),
                    prize.type().name(),
                    prize.amount(),
                    UnnestColumn.text(wonAt));
        }
    }

    @EventHandler
    void on(RaffleDrawn drawn, TrackingToken token) {
        Prize prize = drawn.award();
        if (drawn.outcome() == Outcome.WON && prize != null && !isConsolation(drawn, prize)) {
            batch().add(WinnerColumns.of(
                    drawn.activityId(),
                    drawn.userId(),
                    prize,
                    drawn.drawnAt(),
                    token.position().orElseThrow()));
        }
    }

    /** Adds a winner of a pool. Other awards are added with the draw that won them. */
    @EventHandler
    void on(AwardWon won, TrackingToken token) {
        if (pools.poolOf(won).isPresent()) {
            batch().add(WinnerColumns.of(
                    won.activityId(),
                    won.userId(),
                    won.award(),
                    won.wonAt(),
                    token.position().orElseThrow()));
        }
    }

    private boolean isConsolation(RaffleDrawn drawn, Prize prize) {
        return promised.find(drawn.strategyId(), drawn.strategyVersion())
                .map(StrategyDefinition::fallback)
                .filter(fallback -> fallback == prize.awardId())
                .isPresent();
    }

    @Override
    protected List<WinnerColumns> begin() {
        return new ArrayList<>();
    }

    @Override
    protected void write(List<WinnerColumns> news, String table) {
        database.execute((ConnectionCallback<Integer>) connection -> {
            try (PreparedStatement add = connection.prepareStatement(ADD.replace(TABLE, table))) {
                add.setArray(1, UnnestColumn.of(connection, "bigint", news, WinnerColumns::position));
                add.setArray(2, UnnestColumn.of(connection, "bigint", news, WinnerColumns::activityId));
                add.setArray(3, UnnestColumn.of(connection, "text", news, WinnerColumns::name));
                add.setArray(4, UnnestColumn.of(connection, "integer", news, WinnerColumns::awardId));
                add.setArray(5, UnnestColumn.of(connection, "text", news, WinnerColumns::title));
                add.setArray(6, UnnestColumn.of(connection, "text", news, WinnerColumns::type));
                add.setArray(7, UnnestColumn.of(connection, "numeric", news, WinnerColumns::amount));
                add.setArray(8, UnnestColumn.of(connection, "timestamptz", news, WinnerColumns::wonAt));
                return add.executeUpdate();
            }
        });
        news.stream()
                .map(WinnerColumns::activityId)
                .collect(Collectors.toSet())
                .forEach(activityId -> database.update(TRIM.replace(TABLE, table), activityId, activityId, KEPT_MAX));
    }
}
