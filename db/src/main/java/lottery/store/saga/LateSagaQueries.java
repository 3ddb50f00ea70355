package lottery.store.saga;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Shows operators the sagas that make no progress and why, and makes such sagas due again at once. */
public final class LateSagaQueries {

    /**
     * How long a saga must be due to count as late. The poll loop looks once a second, so a longer delay has another
     * reason.
     */
    public static final Duration LATE = Duration.ofMinutes(1);

    private static final Duration STATEMENT_MAX = Duration.ofSeconds(5);

    private static final String KINDS = "SELECT * FROM saga_kinds()";

    private static final String FIND = """
            SELECT * FROM saga_find_late(
                :types, :moment::timestamptz, :after::timestamptz, :after_association, :after_type, :max)""";

    private static final String FIND_ONE = "SELECT * FROM saga_find(:type, ARRAY[:association])";

    private static final String RETRY = """
            UPDATE saga SET due_at = :now::timestamptz, due_since = NULL, failures = 0, cause = NULL
            WHERE association = :association AND type = :type AND due_at IS NOT NULL
              AND (failures > 0 OR coalesce(due_since, due_at) < :moment::timestamptz)""";

    private static final String COUNT = """
            SELECT type, count(*) AS count FROM saga_some_late(:moment::timestamptz, :max) AS type GROUP BY type""";

    private final JdbcClient database;

    LateSagaQueries(JdbcClient database) {
        this.database = database;
    }

    /**
     * The place where a page ended.
     *
     * @param since when the last saga on the page should have acted
     */
    public record PageEnd(Instant since, String association, String type) {

        /** The place before all sagas. */
        public static final PageEnd BEGINNING = new PageEnd(Instant.EPOCH, "", "");
    }

    /**
     * Returns the sagas that are late or failing at a time, the longest due first.
     *
     * @param type the type of saga; null: all types in the table, even those that this process does not know
     * @param after where the previous page ended
     */
    public List<LateSaga> find(@Nullable String type, Instant now, PageEnd after, int max) {
        List<String> wanted = type == null ? kinds() : List.of(type);
        return ask(FIND)
                .param("types", wanted.toArray(String[]::new))
                .param("moment", now.minus(LATE).toString())
                .param("after", after.since().toString())
                .param("after_association", after.association())
                .param("after_type", after.type())
                .param("max", max)
                .query(LateSagaQueries::saga)
                .list();
    }

    private List<String> kinds() {
        return ask(KINDS).query((row, number) -> row.getString(1)).list();
    }

    /** Returns one saga, late or not; empty if it has ended or never began. */
    public Optional<LateSaga> find(String type, String association) {
        return ask(FIND_ONE)
                .param("type", type)
                .param("association", association)
                .query(LateSagaQueries::saga)
                .optional();
    }

    /** Counts the late or failing sagas of each type, but no more than {@code max} in all. */
    public Map<String, Long> count(Instant now, int max) {
        Map<String, Long> counts = new HashMap<>();
        ask(COUNT)
                .param("moment", now.minus(LATE).toString())
                .param("max", max)
                .query((row, number) -> counts.put(row.getString("type"), row.getLong("count")))
                .list();
        return counts;
    }

    /** Makes a late or failing saga due now, as if it had not failed. Returns whether it was late or failing. */
    public boolean retry(String type, String association, Instant now) {
        return ask(RETRY)
                        .param("now", now.toString())
                        .param("association", association)
                        .param("type", type)
                        .param("moment", now.minus(LATE).toString())
                        .update()
                > 0;
    }

    private JdbcClient.StatementSpec ask(String sql) {
        return database.sql(sql).withQueryTimeout(Math.toIntExact(STATEMENT_MAX.toSeconds()));
    }

    private static LateSaga saga(ResultSet row, int number) throws SQLException {
        @Nullable Instant dueAt = instant(row, "due_at");
        @Nullable Instant dueSince = instant(row, "due_since");
        return new LateSaga(
                row.getString("type"),
                row.getString("association"),
                dueSince == null ? dueAt : dueSince,
                dueAt,
                row.getInt("failures"),
                row.getString("cause"));
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        @Nullable OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
