package lottery.view.reconciliation;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.List;
import lottery.view.PageCursor;
import lottery.view.Paging;
import lottery.view.Paging.Page;
import lottery.view.Query;
import lottery.view.reconciliation.GivenStatementPage.GivenStatement;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Reads which statements were given, also those that were replaced. */
@Component
class StatementReader {

    /**
     * Asks for the statements, the newest first.
     *
     * @param cursor where the previous page ended; null for the first page
     */
    record FindStatements(@Nullable String cursor, int limit) implements Query<GivenStatementPage> {}

    private record FoundStatement(long id, GivenStatement statement) {

        static FoundStatement of(ResultSet row) throws SQLException {
            return new FoundStatement(
                    row.getLong("id"),
                    new GivenStatement(
                            row.getString("provider"),
                            row.getObject("day", LocalDate.class),
                            row.getString("zone"),
                            row.getInt("lines"),
                            row.getObject("given_at", OffsetDateTime.class).toInstant(),
                            row.getString("actor")));
        }

        String cursor() {
            return new PageCursor(id).text();
        }
    }

    private final JdbcClient database;

    StatementReader(JdbcClient database) {
        this.database = database;
    }

    GivenStatementPage answer(FindStatements query) {
        List<FoundStatement> found = database.sql(
                        "SELECT * FROM payment_statement WHERE id < :below ORDER BY id DESC LIMIT :max")
                .param("below", PageCursor.below(query.cursor()))
                .param("max", query.limit() + 1)
                .query((row, _) -> FoundStatement.of(row))
                .list();
        Page<FoundStatement> page = Paging.pageOf(found, query.limit(), FoundStatement::cursor);
        return new GivenStatementPage(page.each(FoundStatement::statement), page.next());
    }
}
