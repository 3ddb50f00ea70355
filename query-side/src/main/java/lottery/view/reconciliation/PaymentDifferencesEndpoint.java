package lottery.view.reconciliation;

import static java.time.ZoneOffset.UTC;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.InstantSource;
import java.time.LocalDate;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.payment.Trade;
import lottery.view.AnswersFromReadModels;
import lottery.view.Paging;
import lottery.view.SingleFlight;
import lottery.view.reconciliation.DifferenceReader.FindDifferences;
import org.jspecify.annotations.Nullable;
import org.springframework.format.annotation.DateTimeFormat;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Lists differences between statements and trades over REST, and takes the explanations of the desk. */
@RestController
@Tag(name = "Payment")
@AnswersFromReadModels(TradeProjection.GROUP)
class PaymentDifferencesEndpoint {

    private static final String DIFFERENCES = "/api/v1/ops/payments/differences";

    private static final int DAYS_MAX = 31;

    record DifferenceDecisionRequest(
            @NotNull @Pattern(regexp = Trade.PROVIDER) String provider,
            @NotNull @Pattern(regexp = Trade.NUMBER) String tradeNo,
            @NotNull StatementKind kind,

            @NotBlank @Pattern(regexp = "[^\\x00-\\x1f\\x7f]*") @Size(max = 500)
            String reason) {}

    private final SingleFlight questions;
    private final DifferenceReader differences;
    private final DifferenceNoteTable notes;
    private final InstantSource clock;

    PaymentDifferencesEndpoint(
            SingleFlight questions, DifferenceReader differences, DifferenceNoteTable notes, InstantSource clock) {
        this.questions = questions;
        this.differences = differences;
        this.notes = notes;
        this.clock = clock;
    }

    @Operation(summary = "List differences from statements", description = """
                    Returns the differences between the statements of providers and the trades of the lottery that
                    nobody has explained, those of the newest day first, page by page. A request covers at most 31 days
                    of statements, by default those up to tomorrow. MISSING_HERE: the lottery does
                    not know this money. MISSING_THERE: the lottery knows money of a day whose statement was given, and
                    no statement has it. AMOUNT_DIFFERS: the amount or the currency is another one. With
                    `explained=true`, the explained ones are returned.""")
    @GetMapping(DIFFERENCES)
    DifferencePage listPaymentDifferences(
            @RequestParam(required = false) @DateTimeFormat(iso = DateTimeFormat.ISO.DATE) @Nullable LocalDate from,
            @RequestParam(required = false) @DateTimeFormat(iso = DateTimeFormat.ISO.DATE) @Nullable LocalDate to,
            @RequestParam(defaultValue = "false") boolean explained,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "20") int limit) {
        Paging.require(limit, cursor, DifferenceCursor::of);
        // East of Greenwich a day begins earlier.
        LocalDate last =
                to != null ? to : LocalDate.ofInstant(clock.instant(), UTC).plusDays(1);
        LocalDate first = from != null ? from : last.minusDays(DAYS_MAX - 1);
        LocalDays.require(first, last, DAYS_MAX);
        return questions.ask(new FindDifferences(first, last, explained, cursor, limit), differences::answer);
    }

    @Operation(summary = "Explain a difference from a statement", description = """
                    Records who has explained a difference, and why. It leaves the list, and comes back only with other
                    amounts. If both sides agree about the money, or do not know it, the request is refused with
                    NOT_FOUND.""")
    @PostMapping(DIFFERENCES + "/decision")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void explainPaymentDifference(@Valid @RequestBody DifferenceDecisionRequest form) {
        if (!notes.explain(form.provider(), form.tradeNo(), form.kind(), form.reason())) {
            throw new RefusedException(Refusal.NOT_FOUND, new Trade(form.provider(), form.tradeNo()).toString());
        }
    }
}
