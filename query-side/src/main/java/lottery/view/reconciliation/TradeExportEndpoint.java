package lottery.view.reconciliation;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.LocalDate;
import lottery.view.AnswersFromReadModels;
import org.springframework.format.annotation.DateTimeFormat;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Exports trades for accountants over REST. */
@RestController
@Tag(name = "Payment")
@AnswersFromReadModels({TradeProjection.GROUP, "payments"})
class TradeExportEndpoint {

    static final String CSV = "text/csv;charset=UTF-8";

    private static final int DAYS_MAX = 400;

    private final TradeExport trades;

    TradeExportEndpoint(TradeExport trades) {
        this.trades = trades;
    }

    @Operation(summary = "Export trades for accountants", description = """
                    Returns one line of CSV for each trade whose money was taken from the day `from` to the day `to`, at
                    most 400 days, by the clock of the provider. All times are in `zone`. A cell that a spreadsheet
                    would take for a formula begins with an apostrophe. If the answer fails half-way, its connection is
                    cut.""")
    @ApiResponse(
            responseCode = "200",
            description = "OK",
            content = @Content(mediaType = "text/csv", schema = @Schema(type = "string")))
    @GetMapping(path = "/api/v1/ops/payments/trades.csv", produces = CSV)
    void exportTrades(
            @RequestParam @DateTimeFormat(iso = DateTimeFormat.ISO.DATE) LocalDate from,
            @RequestParam @DateTimeFormat(iso = DateTimeFormat.ISO.DATE) LocalDate to,
            @RequestParam(defaultValue = "UTC") String zone,
            HttpServletResponse response)
            throws IOException {
        LocalDays days = LocalDays.of(from, to, zone, DAYS_MAX);
        response.setContentType(CSV);
        response.setHeader("Content-Disposition", "attachment; filename=\"trades-%s-%s.csv\"".formatted(from, to));
        OutputStream out = new BufferedOutputStream(response.getOutputStream());
        try {
            trades.writeTo(out, days);
        } catch (RuntimeException e) {
            throw response.isCommitted() ? new ExportCutOffException(e) : e;
        }
        out.flush();
    }

    /** Says that an export has failed after its answer had begun. */
    static final class ExportCutOffException extends RuntimeException {

        private static final long serialVersionUID = 1;

        ExportCutOffException(RuntimeException cause) {
            super("an export ends early", cause);
        }
    }

    /** Leaves the failure to the server, which cuts the connection. Otherwise a part would look like the whole. */
    @ExceptionHandler
    void cutOff(ExportCutOffException cut) {
        throw cut;
    }
}
