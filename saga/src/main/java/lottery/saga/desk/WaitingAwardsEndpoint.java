package lottery.saga.desk;

import static java.util.Comparator.comparing;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.award.AwardProgress;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.proposal.MayNeedSecondPerson;
import lottery.api.proposal.Proposal;
import lottery.api.proposal.ProposalCommand.ProposeAction;
import lottery.api.proposal.ProposedAction;
import lottery.api.strategy.Remedy;
import lottery.messaging.invoice.AwardProgressLogReader;
import lottery.saga.desk.DeskPaging.Page;
import lottery.saga.desk.OperatorDecisionLog.OperatorAction;
import lottery.saga.grant.AwardAwaitingOperator;
import lottery.saga.grant.OperatorInvoiceResender;
import lottery.saga.grant.OperatorQueueTable;
import lottery.store.log.Logs;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Shows over REST which awards wait for an operator, and takes the operator's decisions. */
@RestController
@Tag(name = "Grants", description = "The desk: awards that wait for an operator.")
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
class WaitingAwardsEndpoint {

    private static final String RECORD = "/api/v1/ops/award-records/{awardRecordId}";

    /**
     * The most invoices at the same time. While the broker answers, each invoice holds a database connection that draws
     * need.
     */
    private static final int INVOICES_MAX = 2;

    private static final Comparator<AwardAwaitingOperator> LONGEST_WAIT_FIRST = comparing(AwardAwaitingOperator::since)
            .thenComparing(award -> award.awardRecordId().text());

    private final OperatorQueueTable operatorQueue;
    private final Logs logs;
    private final OperatorCommandSender commands;
    private final OperatorInvoiceResender invoiceResender;
    private final OperatorDecisionLog decisions;
    private final AwardProgressLogReader history;
    private final AwardCostReader costs;
    private final TransactionTemplate transaction;
    private final Semaphore invoices = new Semaphore(INVOICES_MAX);

    /** The highest cost of an award that one person compensates alone. */
    private final BigDecimal aloneMax;

    WaitingAwardsEndpoint(
            OperatorQueueTable operatorQueue,
            Logs logs,
            OperatorCommandSender commands,
            OperatorInvoiceResender invoiceResender,
            OperatorDecisionLog decisions,
            AwardProgressLogReader history,
            AwardCostReader costs,
            PlatformTransactionManager transactions,
            @Value("${lottery.remedies.alone-max:100}") BigDecimal aloneMax) {
        this.operatorQueue = operatorQueue;
        this.logs = logs;
        this.commands = commands;
        this.invoiceResender = invoiceResender;
        this.decisions = decisions;
        this.history = history;
        this.costs = costs;
        this.transaction = new TransactionTemplate(transactions);
        this.aloneMax = aloneMax;
    }

    record GrantsPage(
            List<AwardAwaitingOperator> grants, @Nullable String next) {}

    /** An award record and its state after the decision. */
    record DecidedAward(AwardRecordId awardRecordId, AwardState state) {}

    /** How an award that cannot be handed over is compensated. */
    enum DeskRemedy {
        /** Gives the fallback of the strategy instead. */
        SUBSTITUTE(Remedy.SUBSTITUTE, OperatorAction.SUBSTITUTE),
        /** Gives the chance back. */
        RETURN_CHANCE(Remedy.RETURN_CHANCE, OperatorAction.RETURN_CHANCE);

        private final Remedy remedy;
        private final OperatorAction action;

        DeskRemedy(Remedy remedy, OperatorAction action) {
            this.remedy = remedy;
            this.action = action;
        }
    }

    record RemedyRequest(
            @NotNull DeskRemedy remedy,

            @NotBlank @Pattern(regexp = DecisionReason.TEXT) @Size(max = DecisionReason.LENGTH_MAX)
            String reason) {}

    /** Lists awards. The award that has waited longest is first. */
    @Operation(summary = "List awards that wait for an operator", description = """
                    Returns awards that wait for a person, the longest wait first, page by page. With
                    `waitsFor=release`, they wait until an operator releases them. With `waitsFor=person`, fulfilment
                    has rejected the award or has not answered, and a person must decide.""")
    @GetMapping("/api/v1/ops/grants")
    GrantsPage listGrants(
            @RequestParam String waitsFor,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "20") int limit) {
        AwardAwaitingOperator.WaitsFor what = Stream.of(AwardAwaitingOperator.WaitsFor.values())
                .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(waitsFor))
                .findFirst()
                .orElseThrow(() -> new RefusedException(Refusal.INVALID, "waitsFor"));
        DeskCursor from = DeskCursor.read(cursor, DeskCursor.of(0, ""));
        Page<AwardAwaitingOperator> page = Page.of(
                list(what, from.time(0), from.word(1), DeskPaging.checked(limit) + 1),
                limit,
                award -> DeskCursor.of(
                        DeskCursor.number(award.since()), award.awardRecordId().text()));
        return new GrantsPage(page.items(), page.next());
    }

    private List<AwardAwaitingOperator> list(AwardAwaitingOperator.WaitsFor what, Instant since, String id, int max) {
        return logs.readAll(() -> operatorQueue.find(what, since, id, max), LONGEST_WAIT_FIRST, max);
    }

    /** Releases the award. An award that was released already stays released. */
    @Operation(summary = "Let an award be handed over", description = """
                    Releases an award with the timing MANUAL, so it can be handed over, and returns its state. Releasing
                    an award again changes nothing. Each request is recorded among the decisions of the desk.""")
    @ApiResponse(
            responseCode = "200",
            description = "OK",
            headers = @Header(name = "Lottery-Position", required = true))
    @PostMapping(RECORD + "/release")
    DecidedAward releaseGrant(@PathVariable AwardRecordId awardRecordId) {
        return decided(awardRecordId, commands.release(awardRecordId), OperatorAction.RELEASE, null);
    }

    /** Sends one more invoice for each call. */
    @Operation(summary = "Ask fulfilment once more", description = """
                    Sends one more invoice for an award that no fulfilment system has answered for, or that is ON_DESK.
                    Each request sends another invoice and is recorded with its reason. Two invoices can be sent at a
                    time; further requests are refused with BUSY.""")
    @PostMapping(RECORD + "/invoices")
    DecidedAward resendInvoice(@PathVariable AwardRecordId awardRecordId, @Valid @RequestBody DecisionReason why) {
        if (!invoices.tryAcquire()) {
            throw new RefusedException(Refusal.BUSY, awardRecordId.text());
        }
        try {
            return transaction.execute(status -> invoiceInTurn(awardRecordId, why));
        } finally {
            invoices.release();
        }
    }

    /**
     * Sends the next invoice of the award. Requests for the same award run one after the other, because two invoices
     * with the same number would be the same message.
     */
    private DecidedAward invoiceInTurn(AwardRecordId id, DecisionReason why) {
        decisions.lockSubject(id.text());
        int number = decisions.count(OperatorAction.INVOICE, id.text()) + 1;
        return decided(id, invoiceResender.send(id, number), OperatorAction.INVOICE, why.reason());
    }

    /** Compensates the award. If the award was compensated by any remedy, it stays as it is. */
    @Operation(summary = "Compensate an award that cannot be given", description = """
                    Replaces an award by the fallback of its strategy (SUBSTITUTE), or returns the chance
                    (RETURN_CHANCE), and returns the state. An award that was already compensated does not change,
                    whichever remedy is requested. If one person compensates it, each such request is recorded with its reason. A
                    chance cannot be returned if the activity is over, or if all its participations are taken. A
                    REJECTED award then becomes ON_DESK; for an award that is already ON_DESK, the request is refused.
                    In an activity that is drawn at one time, RETURN_CHANCE is refused with AWARD_STATE.

                    Two persons are needed if the award costs more than `LOTTERY_REMEDIES_ALONE_MAX`; an award without a
                    cost counts as 0. The request is a proposal then, and returns 202. The award is compensated when
                    another person of the desk agrees.""")
    @MayNeedSecondPerson
    @ApiResponse(
            responseCode = "200",
            description = "OK",
            headers = @Header(name = "Lottery-Position", required = true),
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                            schema = @Schema(implementation = DecidedAward.class)))
    @PostMapping(RECORD + "/remedy")
    ResponseEntity<?> remedyAward(@PathVariable AwardRecordId awardRecordId, @Valid @RequestBody RemedyRequest how) {
        Optional<AwardProgress> dear = history.find(awardRecordId)
                .filter(award -> costs.costOf(award.won()).compareTo(aloneMax) > 0);
        if (dear.isPresent() && dear.get().state() != AwardState.COMPENSATED) {
            return ResponseEntity.accepted().body(propose(dear.get(), how));
        }
        AwardState state = commands.remedy(awardRecordId, how.remedy().remedy).orThrow();
        if (state == AwardState.COMPENSATED && dear.isEmpty()) {
            decisions.record(how.remedy().action, awardRecordId.text(), how.reason());
        }
        return ResponseEntity.ok(new DecidedAward(awardRecordId, state));
    }

    /** Proposes a remedy. It may turn out to be impossible when the second person agrees. */
    private Proposal propose(AwardProgress award, RemedyRequest how) {
        AwardRecordId id = award.won().awardRecordId();
        if (!award.canBeCompensated()) {
            throw new RefusedException(Refusal.AWARD_STATE, id.text() + " (" + award.state() + ")");
        }
        ProposedAction action = ProposedAction.remedy(id, award.won().userId(), how.remedy().remedy);
        return commands.send(new ProposeAction(action, how.reason())).orThrow();
    }

    /** Logs the operator's request, even if it changes nothing: a repeated request is logged again. */
    private DecidedAward decided(
            AwardRecordId id, Answer<AwardState> answer, OperatorAction action, @Nullable String reason) {
        AwardState state = answer.orThrow();
        decisions.record(action, id.text(), reason);
        return new DecidedAward(id, state);
    }
}
