package lottery.view.entitlement;

import java.util.List;
import lottery.api.UserId;
import lottery.api.entitlement.ContentId;
import lottery.api.entitlement.EntitlementPage;
import lottery.api.entitlement.UserEntitlement;
import lottery.store.projection.RowReader;
import lottery.view.PageCursor;
import lottery.view.Paging;
import lottery.view.Paging.Page;
import lottery.view.Query;
import lottery.view.entitlement.EntitlementProjection.EntitlementColumns;
import lottery.view.entitlement.EntitlementProjection.EntitlementKey;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/** Reads the entitlements of a user. */
@Component
class EntitlementReader {

    /**
     * Asks for the entitlements of a user, the newest first.
     *
     * @param contentId the only content that is asked for; null for all
     * @param cursor where the previous page ended; null for the first page
     */
    record FindEntitlements(
            UserId userId,
            @Nullable ContentId contentId,
            @Nullable String cursor,
            int limit) implements Query<EntitlementPage> {}

    /** No content has this id. */
    private static final String ANY = "";

    private record EntitlementRow(EntitlementKey key, EntitlementColumns columns) {

        String cursor() {
            return new PageCursor(columns.firstPosition()).text();
        }

        UserEntitlement entitlement() {
            return new UserEntitlement(new ContentId(key.contentId()), columns.grantedAt());
        }
    }

    private final RowReader<EntitlementKey, EntitlementColumns> rows;

    EntitlementReader(JdbcOperations database) {
        this.rows =
                new RowReader<>(database, EntitlementProjection.TABLE, EntitlementKey.class, EntitlementColumns.class);
    }

    EntitlementPage answer(FindEntitlements query) {
        // One item more than asked for shows whether there is a next page.
        ContentId contentId = query.contentId();
        String only = contentId == null ? ANY : contentId.value();
        List<EntitlementRow> found = rows.find(
                EntitlementRow::new,
                "user_id = ? AND (? = '' OR content_id = ?) AND first_position < ?"
                        + " ORDER BY first_position DESC LIMIT ?",
                query.userId().value(),
                only,
                only,
                PageCursor.below(query.cursor()),
                query.limit() + 1);
        Page<EntitlementRow> page = Paging.pageOf(found, query.limit(), EntitlementRow::cursor);
        return new EntitlementPage(page.each(EntitlementRow::entitlement), page.next());
    }
}
