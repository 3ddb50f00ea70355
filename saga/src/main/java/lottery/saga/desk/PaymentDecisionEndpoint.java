package lottery.saga.desk;

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
import java.util.Set;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.payment.PaymentCommand;
import lottery.api.payment.PaymentCommand.NoteRefundByHand;
import lottery.api.payment.PaymentCommand.OrderRefund;
import lottery.api.payment.PaymentCommand.SearchMoney;
import lottery.api.payment.PaymentEvent;
import lottery.api.payment.PaymentId;
import lottery.api.payment.PaymentProgress;
import lottery.api.payment.PaymentProgress.TakenTrade;
import lottery.api.payment.PaymentReceipt;
import lottery.api.payment.Trade;
import lottery.api.payment.TradeState;
import lottery.api.proposal.MayNeedSecondPerson;
import lottery.api.proposal.ProposalCommand.ProposeAction;
import lottery.api.proposal.ProposedAction;
import lottery.api.proposal.ProposedActionKind;
import lottery.saga.desk.OperatorDecisionLog.OperatorAction;
import lottery.store.axon.EventStreams;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Takes the decisions of the desk about the money of payments over REST. */
@RestController
@Tag(name = "Payment")
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
class PaymentDecisionEndpoint {

    /** What is done about the money of a trade. */
    enum RefundDecision {
        /** The provider is asked to give it back. */
        REFUND(ProposedActionKind.REFUND_PAYMENT, OperatorAction.REFUND_PAYMENT) {
            @Override
            Set<TradeState> from() {
                return Set.of(TradeState.DELIVERED, TradeState.ON_DESK);
            }

            @Override
            Set<TradeState> done() {
                return Set.of(TradeState.REFUND_DUE, TradeState.REFUNDED);
            }

            @Override
            PaymentCommand command(PaymentId paymentId, Trade trade) {
                return new OrderRefund(paymentId, trade);
            }
        },
        /** It was given back in another way. */
        NOTE_REFUND(ProposedActionKind.NOTE_REFUND, OperatorAction.NOTE_REFUND) {
            @Override
            Set<TradeState> from() {
                return Set.of(TradeState.ON_DESK);
            }

            @Override
            Set<TradeState> done() {
                return Set.of(TradeState.REFUNDED);
            }

            @Override
            PaymentCommand command(PaymentId paymentId, Trade trade) {
                return new NoteRefundByHand(paymentId, trade);
            }
        };

        private final ProposedActionKind kind;
        private final OperatorAction action;

        RefundDecision(ProposedActionKind kind, OperatorAction action) {
            this.kind = kind;
            this.action = action;
        }

        /** Returns the states of the money in which this can be decided. */
        abstract Set<TradeState> from();

        /** Returns the states of the money after the decision. A repeated request finds one of them. */
        abstract Set<TradeState> done();

        abstract PaymentCommand command(PaymentId paymentId, Trade trade);
    }

    record RefundDecisionRequest(
            @NotNull RefundDecision decision,
            @NotNull @Pattern(regexp = Trade.PROVIDER) String provider,
            @NotNull @Pattern(regexp = Trade.NUMBER) String tradeNo,

            @NotBlank @Pattern(regexp = DecisionReason.TEXT) @Size(max = DecisionReason.LENGTH_MAX)
            String reason) {}

    private final OperatorCommandSender commands;
    private final OperatorDecisionLog decisions;
    private final EventStore events;

    /** The most money of one trade that one person gives back alone, in any currency. */
    private final BigDecimal aloneMax;

    PaymentDecisionEndpoint(
            OperatorCommandSender commands,
            OperatorDecisionLog decisions,
            EventStore events,
            @Value("${lottery.payments.alone-max:100}") BigDecimal aloneMax) {
        this.commands = commands;
        this.decisions = decisions;
        this.events = events;
        this.aloneMax = aloneMax;
    }

    @Operation(summary = "Give the money of a payment back", description = """
                    Decides about the money of one trade of a payment. REFUND asks the provider to give it back, for a
                    payment that is delivered or ON_DESK; chances that were delivered stay. NOTE_REFUND says that money
                    ON_DESK was given back in another way. Money in any other state is refused with PAYMENT_STATE. Each
                    decision is recorded with its reason.

                    Two persons are needed for a trade of more than `LOTTERY_PAYMENTS_ALONE_MAX`, in any currency. The request is a
                    proposal then, and returns 202; it is carried out when another person of the desk agrees.""")
    @MayNeedSecondPerson
    @ApiResponse(
            responseCode = "200",
            description = "OK",
            headers = @Header(name = "Lottery-Position", required = true),
            content =
                    @Content(
                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                            schema = @Schema(implementation = PaymentReceipt.class)))
    @PostMapping("/api/v1/ops/payments/{paymentId}/decision")
    ResponseEntity<?> decidePayment(@PathVariable PaymentId paymentId, @Valid @RequestBody RefundDecisionRequest form) {
        PaymentProgress payment = EventStreams.<PaymentProgress, PaymentEvent>fold(
                        events, paymentId.text(), PaymentProgress::after)
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, paymentId.text()));
        Trade trade = new Trade(form.provider(), form.tradeNo());
        TakenTrade taken =
                payment.find(trade).orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, trade.toString()));
        RefundDecision decision = form.decision();
        boolean isDone = decision.done().contains(taken.state());
        if (!isDone && !decision.from().contains(taken.state())) {
            throw new RefusedException(Refusal.PAYMENT_STATE, "%s (%s)".formatted(trade, taken.state()));
        }
        if (!isDone && taken.money().amount().compareTo(aloneMax) > 0) {
            ProposedAction action = ProposedAction.refund(decision.kind, payment, taken);
            return ResponseEntity.accepted()
                    .body(commands.send(new ProposeAction(action, form.reason()))
                            .orThrow());
        }
        PaymentProgress decided =
                commands.send(decision.command(paymentId, trade)).orThrow();
        return ResponseEntity.ok(recorded(decision, decided, trade, form.reason()));
    }

    @Operation(summary = "Search the money of a payment", description = """
                    Asks the providers of a payment once more what they have taken, even if the payment is closed, and
                    returns the payment as it is now. Money that is found is noted soon; if the payment does not need
                    it, it is given back. While the providers are asked already, the request is refused with BUSY.
                    If a provider does not answer, nothing is found, and nobody asks again.""")
    @PostMapping("/api/v1/ops/payments/{paymentId}/search")
    @ResponseStatus(HttpStatus.ACCEPTED)
    PaymentReceipt searchPayment(@PathVariable PaymentId paymentId) {
        return PaymentReceipt.forDesk(commands.send(new SearchMoney(paymentId)).orThrow());
    }

    private PaymentReceipt recorded(RefundDecision decision, PaymentProgress payment, Trade trade, String reason) {
        decisions.record(decision.action, "%s %s".formatted(payment.paymentId(), trade), reason);
        return PaymentReceipt.forDesk(payment);
    }
}
