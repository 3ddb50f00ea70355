package lottery.view.credit;

import java.math.BigDecimal;
import java.util.List;
import lottery.api.UserId;
import lottery.api.credit.CreditBalance;
import lottery.api.credit.CreditEntries;
import lottery.store.projection.RowReader;
import lottery.view.PageCursor;
import lottery.view.Paging;
import lottery.view.Paging.Page;
import lottery.view.Query;
import lottery.view.credit.CreditEntryProjection.CreditEntryColumns;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/** Answers the queries about the credits of a user. */
@Component
class CreditReader {

    /** Asks for a user's credits. An unknown user has zero credits. */
    record FindCredits(UserId userId) implements Query<CreditBalance> {}

    /**
     * Asks for the bookings of a user, the newest first.
     *
     * @param cursor where the previous page ended; null for the first page
     */
    record FindCreditEntries(UserId userId, @Nullable String cursor, int limit) implements Query<CreditEntries> {}

    private final RowReader<CreditEntryKey, CreditEntryColumns> rows;

    CreditReader(JdbcOperations database) {
        this.rows =
                new RowReader<>(database, CreditEntryProjection.TABLE, CreditEntryKey.class, CreditEntryColumns.class);
    }

    CreditBalance answer(FindCredits query) {
        return newest(query.userId(), null, 1).stream()
                .findFirst()
                .map(CreditEntryRow::toBalance)
                .orElseGet(() -> new CreditBalance(query.userId(), BigDecimal.ZERO, 0));
    }

    CreditEntries answer(FindCreditEntries query) {
        // One item more than asked for shows whether there is a next page.
        List<CreditEntryRow> found = newest(query.userId(), query.cursor(), query.limit() + 1);
        Page<CreditEntryRow> page =
                Paging.pageOf(found, query.limit(), line -> line.cursor().text());
        return new CreditEntries(page.each(CreditEntryRow::toEntry), page.next());
    }

    private List<CreditEntryRow> newest(UserId userId, @Nullable String cursor, int limit) {
        return rows.find(
                CreditEntryRow::new,
                "user_id = ? AND entry < ? ORDER BY entry DESC LIMIT ?",
                userId.value(),
                PageCursor.below(cursor),
                limit);
    }
}
