package lottery.view.ops;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import lottery.store.projection.ReplayWorker;
import lottery.view.ReadModelRegistry;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Reads the states of all read models from the database, whichever process writes them. */
@Component
class ProjectionStateReader {

    private static final String STATES = """
            SELECT name, head.position AS head, coalesce(token.position, 0) AS position,
                   (SELECT count(*) FROM parked_event
                    WHERE parked_event.processor = name AND dropped_because IS NULL) AS parked,
                   replay.position AS replay_position, begun_at, failed_because,
                   CASE WHEN owner IS NOT NULL AND clock_timestamp() > resumed_at
                        THEN (replay.position - resumed_from) / extract(epoch FROM clock_timestamp() - resumed_at)
                   END AS rate
            FROM unnest(:names::text[]) AS name
            CROSS JOIN event_head AS head
            LEFT JOIN (SELECT member,
                              max(CASE jsonb_typeof(token) WHEN 'number' THEN token::bigint
                                                           ELSE (token ->> 'at')::bigint END) AS position
                       FROM token CROSS JOIN unnest(members) AS member GROUP BY member) AS token ON token.member = name
            LEFT JOIN replay ON replay.processor = name
            ORDER BY name""";

    private final JdbcClient database;
    private final ReadModelRegistry readModels;
    private final ReplayWorker replays;

    ProjectionStateReader(JdbcClient database, ReadModelRegistry readModels, ReplayWorker replays) {
        this.database = database;
        this.readModels = readModels;
        this.replays = replays;
    }

    List<ProjectionState> all() {
        return database.sql(STATES)
                .param("names", readModels.names().toArray(String[]::new))
                .query((row, i) -> state(row))
                .list();
    }

    ProjectionState find(String name) {
        return all().stream()
                .filter(state -> state.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name + " is no read model of this side"));
    }

    private ProjectionState state(ResultSet row) throws SQLException {
        String name = row.getString("name");
        long head = row.getLong("head");
        long position = row.getLong("position");
        return new ProjectionState(
                name,
                position,
                head,
                Math.max(0, head - position),
                row.getLong("parked"),
                replays.replayable().contains(name),
                replay(row, head));
    }

    private static ProjectionState.@Nullable ReplayProgress replay(ResultSet row, long head) throws SQLException {
        OffsetDateTime begunAt = row.getObject("begun_at", OffsetDateTime.class);
        if (begunAt == null) {
            return null;
        }
        long position = row.getLong("replay_position");
        long rate = Math.round(row.getDouble("rate"));
        return new ProjectionState.ReplayProgress(
                position,
                head == 0 ? 100 : Math.round(1000.0 * position / head) / 10.0,
                rate <= 0 ? null : Long.valueOf(rate),
                rate <= 0 ? null : Long.valueOf((head - position) / rate),
                begunAt.toInstant(),
                row.getString("failed_because"));
    }
}
