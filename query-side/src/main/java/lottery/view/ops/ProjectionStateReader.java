package lottery.view.ops;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import lottery.store.log.Logs;
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
    private final Logs logs;
    private final ReadModelRegistry readModels;
    private final ReplayWorker replays;

    ProjectionStateReader(JdbcClient database, Logs logs, ReadModelRegistry readModels, ReplayWorker replays) {
        this.database = database;
        this.logs = logs;
        this.readModels = readModels;
        this.replays = replays;
    }

    /**
     * The state of a read model in one log.
     *
     * @param replayed the position of its replay; if it is not replayed, the head of the log
     * @param begunAt when its replay began; null: it is not replayed
     * @param rate the events per second of its replay
     */
    private record StateInLog(
            String name,
            long head,
            long position,
            long parked,
            long replayed,
            @Nullable Instant begunAt,
            @Nullable String failedBecause,
            double rate) {

        static StateInLog of(ResultSet row) throws SQLException {
            OffsetDateTime begunAt = row.getObject("begun_at", OffsetDateTime.class);
            long head = row.getLong("head");
            return new StateInLog(
                    row.getString("name"),
                    head,
                    row.getLong("position"),
                    row.getLong("parked"),
                    begunAt == null ? head : row.getLong("replay_position"),
                    begunAt == null ? null : begunAt.toInstant(),
                    row.getString("failed_because"),
                    row.getDouble("rate"));
        }

        /** Returns the state in several logs together. */
        StateInLog plus(StateInLog other) {
            return new StateInLog(
                    name,
                    head + other.head,
                    position + other.position,
                    parked + other.parked,
                    replayed + other.replayed,
                    begunAt == null || (other.begunAt != null && other.begunAt.isBefore(begunAt))
                            ? other.begunAt
                            : begunAt,
                    failedBecause == null ? other.failedBecause : failedBecause,
                    rate + other.rate);
        }

        ProjectionState shown(boolean replayable) {
            return new ProjectionState(
                    name, position, head, Math.max(0, head - position), parked, replayable, replay());
        }

        private ProjectionState.@Nullable ReplayProgress replay() {
            if (begunAt == null) {
                return null;
            }
            long perSecond = Math.round(rate);
            return new ProjectionState.ReplayProgress(
                    replayed,
                    head == 0 ? 100 : Math.round(1000.0 * replayed / head) / 10.0,
                    perSecond <= 0 ? null : Long.valueOf(perSecond),
                    perSecond <= 0 ? null : Long.valueOf((head - replayed) / perSecond),
                    begunAt,
                    failedBecause);
        }
    }

    /** Returns the states over all logs. Positions are counts of events, so those of all logs are added. */
    List<ProjectionState> all() {
        Map<String, StateInLog> states = new TreeMap<>();
        logs.readAll(this::inLog).forEach(state -> states.merge(state.name(), state, StateInLog::plus));
        return states.values().stream()
                .map(state -> state.shown(replays.replayable().contains(state.name())))
                .toList();
    }

    private List<StateInLog> inLog() {
        return database.sql(STATES)
                .param("names", readModels.names().toArray(String[]::new))
                .query((row, _) -> StateInLog.of(row))
                .list();
    }

    ProjectionState find(String name) {
        return all().stream()
                .filter(state -> state.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(name + " is no read model of this side"));
    }
}
