package lottery.view.credit;

import java.util.List;
import lottery.store.projection.RowReader;
import lottery.view.credit.CreditEntryProjection.CreditEntryColumns;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Component;

/** Reads the bookings of a user. */
@Component
class CreditEntryRowRepository {

    private final RowReader<CreditEntryKey, CreditEntryColumns> rows;

    CreditEntryRowRepository(JdbcOperations database) {
        this.rows =
                new RowReader<>(database, CreditEntryProjection.TABLE, CreditEntryKey.class, CreditEntryColumns.class);
    }

    List<CreditEntryRow> newestBefore(String userId, long before, int limit) {
        return rows.find(
                CreditEntryRow::new, "user_id = ? AND entry < ? ORDER BY entry DESC LIMIT ?", userId, before, limit);
    }
}
