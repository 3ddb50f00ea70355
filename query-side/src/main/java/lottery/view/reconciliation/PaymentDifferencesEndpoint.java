package lottery.view.reconciliation;

import com.fasterxml.jackson.annotation.JsonFormat;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Digits;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.payment.Trade;
import lottery.view.AnswersFromReadModels;
import lottery.view.PageCursor;
import lottery.view.Paging;
import lottery.view.SingleFlight;
import lottery.view.reconciliation.DifferenceNoteTable.SeenAmounts;
import lottery.view.reconciliation.DifferenceReader.FindDifferences;
import org.jspecify.annotations.Nullable;
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

    private static final String CURRENCY = "[A-Z]{3}";

    /**
     * An explanation of a difference.
     *
     * @param amount what the lottery knows, as the list has it; absent if it knows nothing
     * @param statedAmount what the statements say, as the list has it; absent if they say nothing
     */
    record DifferenceDecisionRequest(
            @NotNull @Pattern(regexp = Trade.PROVIDER) String provider,
            @NotNull @Pattern(regexp = Trade.NUMBER) String tradeNo,
            @NotNull StatementKind kind,

            @Nullable @Digits(integer = 20, fraction = 4) @JsonFormat(shape = JsonFormat.Shape.STRING)
            BigDecimal amount,

            @Nullable @Pattern(regexp = CURRENCY) String currency,

            @Nullable @Digits(integer = 20, fraction = 4) @JsonFormat(shape = JsonFormat.Shape.STRING)
            BigDecimal statedAmount,

            @Nullable @Pattern(regexp = CURRENCY) String statedCurrency,

            @NotBlank @Pattern(regexp = "[^\\x00-\\x1f\\x7f]*") @Size(max = 500)
            String reason) {

        SeenAmounts seen() {
            return new SeenAmounts(amount, currency, statedAmount, statedCurrency);
        }
    }

    private final SingleFlight questions;
    private final DifferenceReader differences;
    private final DifferenceNoteTable notes;

    PaymentDifferencesEndpoint(SingleFlight questions, DifferenceReader differences, DifferenceNoteTable notes) {
        this.questions = questions;
        this.differences = differences;
        this.notes = notes;
    }

    @Operation(summary = "List differences from statements", description = """
                    Returns what differs now between the statements of providers and the trades of the lottery, and
                    nobody has explained, the newest first, page by page. A difference is found when a statement is
                    given, and leaves the list when both sides agree. MISSING_HERE: the lottery does not know this
                    money. MISSING_THERE: the lottery knows money of a day whose statement was given, and no statement
                    has it. AMOUNT_DIFFERS: the amount or the currency is another one. With `explained=true`, the
                    explained ones are returned.""")
    @GetMapping(DIFFERENCES)
    DifferencePage listPaymentDifferences(
            @RequestParam(defaultValue = "false") boolean explained,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "20") int limit) {
        Paging.require(limit, cursor, PageCursor::of);
        return questions.ask(new FindDifferences(explained, cursor, limit), differences::answer);
    }

    @Operation(summary = "Explain a difference from a statement", description = """
                    Records who has explained a difference, and why. It leaves the list, and comes back only with other
                    amounts. Send the amounts and currencies as the list has them. If there is no difference with these
                    amounts, the request is refused with NOT_FOUND.""")
    @PostMapping(DIFFERENCES + "/decision")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void explainPaymentDifference(@Valid @RequestBody DifferenceDecisionRequest form) {
        if (!notes.explain(form.provider(), form.tradeNo(), form.kind(), form.seen(), form.reason())) {
            throw new RefusedException(Refusal.NOT_FOUND, new Trade(form.provider(), form.tradeNo()).toString());
        }
    }
}
