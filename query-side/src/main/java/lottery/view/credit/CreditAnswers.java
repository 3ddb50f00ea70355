package lottery.view.credit;

import java.math.BigDecimal;
import java.util.List;
import lottery.api.credit.CreditBalance;
import lottery.api.credit.CreditEntries;
import lottery.api.credit.FindCreditEntries;
import lottery.api.credit.FindCredits;
import org.axonframework.queryhandling.QueryHandler;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Component;

@Component
class CreditAnswers {

    private final EntryRows rows;

    CreditAnswers(EntryRows rows) {
        this.rows = rows;
    }

    @QueryHandler
    CreditBalance answer(FindCredits query) {
        return rows.newestBefore(query.userId().value(), CreditCursor.NEWEST.entry(), Limit.of(1)).stream()
                .findFirst()
                .map(EntryRow::toBalance)
                .orElseGet(() -> new CreditBalance(query.userId(), BigDecimal.ZERO, 0));
    }

    @QueryHandler
    CreditEntries answer(FindCreditEntries query) {
        // One more than asked for shows whether there is a next page.
        List<EntryRow> found =
                rows.newestBefore(query.userId().value(), cursor(query).entry(), Limit.of(query.limit() + 1));
        boolean more = found.size() > query.limit();
        List<EntryRow> page = more ? found.subList(0, query.limit()) : found;
        return new CreditEntries(
                page.stream().map(EntryRow::toEntry).toList(),
                more ? page.getLast().cursor().text() : null);
    }

    private static CreditCursor cursor(FindCreditEntries query) {
        return query.cursor() == null
                ? CreditCursor.NEWEST
                : CreditCursor.of(query.cursor()).orElseThrow(() -> new IllegalArgumentException("not a cursor"));
    }
}
