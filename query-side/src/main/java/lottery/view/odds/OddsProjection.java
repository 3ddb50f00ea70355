package lottery.view.odds;

import java.sql.PreparedStatement;
import java.util.ArrayList;
import java.util.List;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.store.projection.BatchProjection;
import lottery.view.UnnestColumn;
import lottery.view.odds.OddsProjection.ComparedPick;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventhandling.TrackingToken;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/** Counts for each award how often it was picked, over the draws that can be compared with the promised odds. */
@Component
@ProcessingGroup(OddsProjection.GROUP)
class OddsProjection extends BatchProjection<List<ComparedPick>> {

    static final String GROUP = "odds";

    private static final String TABLE = "view_odds";

    /** The award id under which all draws are counted. */
    static final int ALL_DRAWS = -1;

    /**
     * Adds counts to the rows. An event is counted only if its position is new, or if it was parked before. A parked
     * event is recognized by its row, which is deleted at the end of this transaction.
     */
    private static final String COUNT = """
            WITH seen AS (
                SELECT * FROM unnest(?::bigint[], ?::bigint[], ?::integer[], ?::integer[], ?::boolean[], ?::bigint[])
                    AS seen (activity_id, strategy_id, version, award_id, hit, position)),
            news AS (
                SELECT seen.* FROM seen LEFT JOIN view_odds known USING (activity_id, strategy_id, version, award_id)
                WHERE seen.position > coalesce(known.position, 0)
                   OR EXISTS (SELECT FROM parked_event WHERE processor = 'odds' AND parked_event.position = seen.position))
            INSERT INTO view_odds AS known (activity_id, strategy_id, version, award_id, compared, won, position)
            SELECT activity_id, strategy_id, version, award_id, count(*), count(*) FILTER (WHERE hit), max(position)
            FROM news GROUP BY activity_id, strategy_id, version, award_id
            ON CONFLICT (activity_id, strategy_id, version, award_id) DO UPDATE
            SET compared = known.compared + excluded.compared, won = known.won + excluded.won,
                position = greatest(known.position, excluded.position)""";

    private final JdbcOperations database;
    private final OddsPickDetectorCache promises;

    OddsProjection(JdbcOperations database, OddsPickDetectorCache promises) {
        super(database, TABLE);
        this.database = database;
        this.promises = promises;
    }

    /** A draw that has picked an award, or has not picked it. */
    record ComparedPick(long activityId, long strategyId, int version, int awardId, boolean hit, long position) {}

    @EventHandler
    void on(RaffleDrawn drawn, TrackingToken token) {
        long position = token.position().orElseThrow();
        List<ComparedPick> picks = batch();
        picks.add(pick(drawn, ALL_DRAWS, false, position));
        promises.find(drawn.strategyId(), drawn.strategyVersion())
                .ifPresent(promise ->
                        promise.picks(drawn).forEach((awardId, hit) -> picks.add(pick(drawn, awardId, hit, position))));
    }

    private static ComparedPick pick(RaffleDrawn drawn, int awardId, boolean hit, long position) {
        return new ComparedPick(
                drawn.activityId().value(),
                drawn.strategyId().value(),
                drawn.strategyVersion(),
                awardId,
                hit,
                position);
    }

    @Override
    protected List<ComparedPick> begin() {
        return new ArrayList<>();
    }

    @Override
    protected void write(List<ComparedPick> picks, String table) {
        database.execute((ConnectionCallback<Integer>) connection -> {
            try (PreparedStatement count = connection.prepareStatement(COUNT.replace(TABLE, table))) {
                count.setArray(1, UnnestColumn.of(connection, "bigint", picks, ComparedPick::activityId));
                count.setArray(2, UnnestColumn.of(connection, "bigint", picks, ComparedPick::strategyId));
                count.setArray(3, UnnestColumn.of(connection, "integer", picks, ComparedPick::version));
                count.setArray(4, UnnestColumn.of(connection, "integer", picks, ComparedPick::awardId));
                count.setArray(5, UnnestColumn.of(connection, "boolean", picks, ComparedPick::hit));
                count.setArray(6, UnnestColumn.of(connection, "bigint", picks, ComparedPick::position));
                return count.executeUpdate();
            }
        });
    }
}
