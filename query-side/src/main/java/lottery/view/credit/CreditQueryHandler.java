package lottery.view.credit;

import java.math.BigDecimal;
import java.util.List;
import lottery.api.credit.CreditBalance;
import lottery.api.credit.CreditEntries;
import lottery.api.credit.FindCreditEntries;
import lottery.api.credit.FindCredits;
import lottery.view.PageCursor;
import lottery.view.Paging;
import lottery.view.Paging.Page;
import org.axonframework.queryhandling.QueryHandler;
import org.springframework.stereotype.Component;

@Component
class CreditQueryHandler {

    private final CreditEntryRowRepository rows;

    CreditQueryHandler(CreditEntryRowRepository rows) {
        this.rows = rows;
    }

    @QueryHandler
    CreditBalance answer(FindCredits query) {
        return rows.newestBefore(query.userId().value(), PageCursor.below(null), 1).stream()
                .findFirst()
                .map(CreditEntryRow::toBalance)
                .orElseGet(() -> new CreditBalance(query.userId(), BigDecimal.ZERO, 0));
    }

    @QueryHandler
    CreditEntries answer(FindCreditEntries query) {
        // One item more than asked for shows whether there is a next page.
        List<CreditEntryRow> found =
                rows.newestBefore(query.userId().value(), PageCursor.below(query.cursor()), query.limit() + 1);
        Page<CreditEntryRow> page =
                Paging.pageOf(found, query.limit(), line -> line.cursor().text());
        return new CreditEntries(page.each(CreditEntryRow::toEntry), page.next());
    }
}
