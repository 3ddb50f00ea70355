package lottery.view.winners;

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

    private record News(long position, RaffleDrawn drawn, Prize prize) {}

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
            gathered().add(new News(token.position().orElseThrow(), drawn, prize));
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
                add.setArray(
                        2,
                        Column.of(
                                connection,
                                "bigint",
                                news,
                                each -> each.drawn().activityId().value()));
                add.setArray(
                        3,
                        Column.of(
                                connection,
                                "text",
                                news,
                                each -> Mask.of(each.drawn().userId().value())));
                add.setArray(
                        4,
                        Column.of(
                                connection,
                                "integer",
                                news,
                                each -> each.prize().awardId()));
                add.setArray(
                        5,
                        Column.of(connection, "text", news, each -> each.prize().title()));
                add.setArray(
                        6,
                        Column.of(
                                connection,
                                "text",
                                news,
                                each -> each.prize().type().name()));
                add.setArray(
                        7,
                        Column.of(
                                connection,
                                "numeric",
                                news,
                                each -> each.prize().amount()));
                add.setArray(
                        8,
                        Column.of(
                                connection,
                                "timestamptz",
                                news,
                                each -> each.drawn().drawnAt().toString()));
                add.setArray(
                        9,
                        Column.of(
                                connection,
                                "bigint",
                                news,
                                each -> each.drawn().strategyId().value()));
                add.setArray(
                        10,
                        Column.of(
                                connection,
                                "integer",
                                news,
                                each -> each.drawn().strategyVersion()));
                return add.executeUpdate();
            }
        });
        news.stream()
                .map(each -> each.drawn().activityId().value())
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
