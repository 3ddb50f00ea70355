package lottery.view.audit;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.store.log.MergedPages;
import lottery.store.log.MergedPages.MergedItem;
import lottery.store.log.MergedPages.MergedPage;
import lottery.view.AnswersFromReadModels;
import lottery.view.Paging;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows the decisions of people over REST, the newest first. */
@RestController
@Tag(
        name = "Decision audit",
        description =
                "Decisions about activities, strategies, decision trees, rebate rules, bans, persons and proposals.")
@AnswersFromReadModels("audit")
class AuditTrailEndpoint {

    private static final int TEXT_LENGTH_MAX = 200;

    private static final String PAGE = """
            SELECT subject, type, actor, role, trace_id, at, position FROM view_audit
            WHERE position < :below
              AND (:actor::text IS NULL OR actor = :actor)
              AND (:subject::text IS NULL OR subject = :subject)
            ORDER BY position DESC LIMIT :max""";

    /**
     * A decision of a person.
     *
     * @param position the position of the event in the log
     * @param type the name of the event, such as {@code activity.passed}
     * @param subject the id of the aggregate that was decided about, such as {@code activity:100}
     */
    record AuditEntry(
            long position,
            Instant at,
            String actor,
            @Nullable String role,
            String type,
            String subject,
            @Nullable String traceId)
            implements MergedItem {}

    record AuditPage(List<AuditEntry> entries, @Nullable String next) {}

    private final JdbcClient database;
    private final MergedPages pages;

    AuditTrailEndpoint(JdbcClient database, MergedPages pages) {
        this.database = database;
        this.pages = pages;
    }

    @Operation(summary = "List the decisions of people", description = """
                    Returns decisions about activities, strategies, decision trees, rebate rules, bans, erasures of
                    persons and proposals, the newest first, page by page. Each has the person who decided.
                    `actor` and `subject` filter the list. A subject is written like `activity:100`.""")
    @GetMapping("/api/v1/ops/audit")
    AuditPage readAudit(
            @RequestParam(required = false) @Nullable String actor,
            @RequestParam(required = false) @Nullable String subject,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "20") int limit) {
        Paging.require(limit, cursor, pages::positions);
        requireText("actor", actor);
        requireText("subject", subject);
        MergedPage<AuditEntry> page = pages.read(cursor, limit, (below, max) -> list(actor, subject, below, max));
        return new AuditPage(page.items(), page.next());
    }

    private List<AuditEntry> list(@Nullable String actor, @Nullable String subject, long below, int max) {
        return database.sql(PAGE)
                .param("below", below)
                .param("actor", actor)
                .param("subject", subject)
                .param("max", max)
                .query((row, _) -> new AuditEntry(
                        row.getLong("position"),
                        row.getObject("at", OffsetDateTime.class).toInstant(),
                        row.getString("actor"),
                        row.getString("role"),
                        row.getString("type"),
                        row.getString("subject"),
                        row.getString("trace_id")))
                .list();
    }

    private static void requireText(String name, @Nullable String text) {
        if (text != null
                && (text.length() > TEXT_LENGTH_MAX || text.codePoints().anyMatch(Character::isISOControl))) {
            throw new RefusedException(Refusal.INVALID, name);
        }
    }
}
