package lottery.view.winners;

import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import lottery.api.raffle.Outcome;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.strategy.StrategyEvent;
import lottery.view.Column;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.ResetHandler;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/**
 * News is an award that was drawn from the table. What stands in for an award that could not be had is none, whether it
 * is the fallback of a draw, or was won instead later; nor is the award that a strategy falls back to, where a draw
 * picks it: most draws may win that one.
 *
 * <p>A batch is written at its end, with the transaction that moves the token.
 */
@Component
@ProcessingGroup("winners")
class WinnerProjection {

    /** Of each activity. Who comes back after more than these has missed the rest. */
    static final int KEPT_MAX = 1_000;

    private static final String GATHERED = WinnerProjection.class.getName() + ".gathered";

    private static final String CONSOLE = """
            INSERT INTO view_consolation (strategy_id, version, award_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING""";

    private static final String ADD = """
            INSERT INTO view_winner (position, activity_id, name, award_id, title, type, amount, won_at)
            SELECT position, activity_id, name, award_id, title, type, amount, won_at
            FROM unnest(?::bigint[], ?::bigint[], ?::text[], ?::integer[], ?::text[], ?::text[], ?::numeric[],
                        ?::timestamptz[], ?::bigint[], ?::integer[])
                 AS news (position, activity_id, name, award_id, title, type, amount, won_at, strategy_id, version)
            WHERE NOT EXISTS (
                SELECT FROM view_consolation AS other
                WHERE other.strategy_id = news.strategy_id AND other.version = news.version
                  AND other.award_id = news.award_id)
            ON CONFLICT DO NOTHING""";

    private static final String TRIM = """
            DELETE FROM view_winner WHERE activity_id = ? AND position <= (
                SELECT position FROM view_winner WHERE activity_id = ? ORDER BY position DESC OFFSET ? LIMIT 1)""";

    private final JdbcOperations database;

    WinnerProjection(JdbcOperations database) {
        this.database = database;
    }

    /** A row, and what says whether it is one. */
    private record News(
            long position,
            long activityId,
            String name,
            int awardId,
            String title,
            String type,
            @Nullable BigDecimal amount,
            String wonAt,
            long strategyId,
            int version) {

        static News of(RaffleDrawn drawn, Prize prize, long position) {
            return new News(
                    position,
                    drawn.activityId().value(),
                    Mask.of(drawn.userId().value()),
                    prize.awardId(),
                    prize.title(),
                    prize.type().name(),
                    prize.amount(),
                    Column.text(drawn.drawnAt()),
                    drawn.strategyId().value(),
                    drawn.strategyVersion());
        }
    }

    @EventHandler
    void on(StrategyEvent event) {
        Integer fallback = event.definition().fallback();
        if (fallback != null) {
            database.update(CONSOLE, event.strategyId().value(), event.version(), fallback);
        }
    }

    @EventHandler
    void on(RaffleDrawn drawn, TrackingToken token) {
        Prize prize = drawn.award();
        if (drawn.outcome() == Outcome.WON && prize != null) {
            gathered().add(News.of(drawn, prize, token.position().orElseThrow()));
        }
    }

    private List<News> gathered() {
        UnitOfWork<?> batch = CurrentUnitOfWork.get().root();
        return batch.getOrComputeResource(GATHERED, _ -> {
            List<News> fresh = new ArrayList<>();
            batch.onCommit(_ -> write(fresh));
            return fresh;
        });
    }

    private void write(List<News> news) {
        database.execute((ConnectionCallback<Integer>) connection -> {
            try (PreparedStatement add = connection.prepareStatement(ADD)) {
                add.setArray(1, Column.of(connection, "bigint", news, News::position));
                add.setArray(2, Column.of(connection, "bigint", news, News::activityId));
                add.setArray(3, Column.of(connection, "text", news, News::name));
                add.setArray(4, Column.of(connection, "integer", news, News::awardId));
                add.setArray(5, Column.of(connection, "text", news, News::title));
                add.setArray(6, Column.of(connection, "text", news, News::type));
                add.setArray(7, Column.of(connection, "numeric", news, News::amount));
                add.setArray(8, Column.of(connection, "timestamptz", news, News::wonAt));
                add.setArray(9, Column.of(connection, "bigint", news, News::strategyId));
                add.setArray(10, Column.of(connection, "integer", news, News::version));
                return add.executeUpdate();
            }
        });
        news.stream()
                .map(News::activityId)
                .collect(Collectors.toSet())
                .forEach(activityId -> database.update(TRIM, activityId, activityId, KEPT_MAX));
    }

    /** Before the events come again. */
    @ResetHandler
    void forget() {
        database.update("DELETE FROM view_winner");
        database.update("DELETE FROM view_consolation");
    }
}
