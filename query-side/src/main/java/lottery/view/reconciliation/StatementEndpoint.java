package lottery.view.reconciliation;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.time.LocalDate;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.payment.Trade;
import lottery.view.AnswersFromReadModels;
import lottery.view.PageCursor;
import lottery.view.Paging;
import lottery.view.SingleFlight;
import lottery.view.reconciliation.StatementReader.FindStatements;
import org.jspecify.annotations.Nullable;
import org.springframework.format.annotation.DateTimeFormat;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Takes the statements of providers over REST. */
@RestController
@Tag(name = "Payment")
@AnswersFromReadModels(TradeProjection.GROUP)
class StatementEndpoint {

    private static final String STATEMENTS = "/api/v1/ops/payments/statements";

    private final SingleFlight questions;
    private final StatementTable statements;
    private final StatementReader reader;

    StatementEndpoint(SingleFlight questions, StatementTable statements, StatementReader reader) {
        this.questions = questions;
        this.statements = statements;
        this.reader = reader;
    }

    @Operation(summary = "List statements that were given", description = """
                    Returns the statements that were given, the newest first, page by page, also those that a newer one
                    of their day has replaced. Money of a day without a statement is not compared.""")
    @GetMapping(STATEMENTS)
    GivenStatementPage listPaymentStatements(
            @RequestParam(required = false) @Nullable String cursor, @RequestParam(defaultValue = "20") int limit) {
        Paging.require(limit, cursor, PageCursor::of);
        return questions.ask(new FindStatements(cursor, limit), reader::answer);
    }

    @Operation(summary = "Give the statement of a provider", description = """
                    Stores what a provider says about a day, instead of what it has said before, and compares it with
                    the trades of the lottery. The file has the header `tradeNo,kind,amount,currency,paymentNo`, at most
                    100,000 lines and 16 MiB. `kind` is TAKEN or REFUNDED; `paymentNo` is the number that the provider
                    got from the lottery, or empty. Lines of the same trade and kind are added. A file with a line that
                    does not fit is refused, and nothing is stored. The answer has the sums of both sides; the days of
                    the lottery's refunds are by its own clock.""")
    @io.swagger.v3.oas.annotations.parameters.RequestBody(
            content = @Content(mediaType = "text/csv", schema = @Schema(type = "string")))
    @PutMapping(
            path = STATEMENTS + "/{provider}/{day}",
            consumes = "text/csv",
            produces = MediaType.APPLICATION_JSON_VALUE)
    StatementSummary putPaymentStatement(
            @PathVariable String provider,
            @PathVariable @DateTimeFormat(iso = DateTimeFormat.ISO.DATE) LocalDate day,
            @RequestParam(defaultValue = "UTC") String zone,
            @RequestBody byte[] file) {
        if (!provider.matches(Trade.PROVIDER)) {
            throw new RefusedException(Refusal.INVALID, "provider");
        }
        LocalDays days = LocalDays.of(day, zone);
        statements.put(provider, days, StatementParser.parse(file));
        return statements.summary(provider, days);
    }
}
