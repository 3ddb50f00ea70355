package lottery.security;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import lottery.store.trace.Actor;
import lottery.store.trace.TraceId;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Records which member of the staff has read which data about persons. Rows are only added, and are kept until an
 * operator deletes them.
 */
final class PersonalReadLog {

    private final JdbcClient database;

    PersonalReadLog(JdbcClient database) {
        this.database = database;
    }

    /** One read of data about persons. */
    record PersonalRead(
            long number,
            Instant at,
            String actor,
            String role,
            String path,
            @Nullable String traceId) {}

    /** Stores the whole path and query. Tomcat limits both to some kilobytes. */
    void note(Actor actor, String path) {
        database.sql("""
                        INSERT INTO personal_read (actor, role, path, trace_id)
                        VALUES (:actor, :role, :path, :traceId)""")
                .param("actor", actor.name())
                .param("role", actor.role())
                .param("path", path)
                .param("traceId", TraceId.current().map(TraceId::text).orElse(null))
                .update();
    }

    List<PersonalRead> below(long number, @Nullable String actor, int max) {
        return database.sql("""
                        SELECT number, at, actor, role, path, trace_id FROM personal_read
                        WHERE number < :below AND (:actor::text IS NULL OR actor = :actor)
                        ORDER BY number DESC LIMIT :max""")
                .param("below", number)
                .param("actor", actor)
                .param("max", max)
                .query((row, _) -> new PersonalRead(
                        row.getLong("number"),
                        row.getObject("at", OffsetDateTime.class).toInstant(),
                        row.getString("actor"),
                        row.getString("role"),
                        row.getString("path"),
                        row.getString("trace_id")))
                .list();
    }
}
