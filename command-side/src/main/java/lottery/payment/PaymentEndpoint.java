package lottery.payment;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import lottery.EndpointCommandSender;
import lottery.IdempotentCreation;
import lottery.IdempotentReplyBuilder;
import lottery.IdempotentResult;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.SubmissionFlaw;
import lottery.api.SubmissionFlaw.FlawKind;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.activity.SkuId;
import lottery.api.activity.SkuOffer;
import lottery.api.payment.PaymentCommand.AddProvider;
import lottery.api.payment.PaymentCommand.OrderPayment;
import lottery.api.payment.PaymentId;
import lottery.api.payment.PaymentProgress;
import lottery.api.payment.PaymentReceipt;
import lottery.api.payment.PaymentState;
import lottery.api.payment.Trade;
import lottery.payment.PaymentProvider.PaymentDemand;
import lottery.store.trace.Actor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/** Sells SKUs for money over REST. */
@RestController
@Tag(name = "Payment", description = "SKUs that are paid for with money.")
// A caller that does not accept JSON is refused before the command runs, not after it.
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
class PaymentEndpoint {

    private static final Logger LOG = LoggerFactory.getLogger(PaymentEndpoint.class);

    private static final String PAYMENT = "/api/v1/payments/{paymentId}";
    private static final String PROVIDER = "/provider";

    /** @param outBusinessNo the caller's number of the payment, which takes effect once */
    record PaymentRequest(
            @NotNull @Positive Long sku,
            @NotNull @Pattern(regexp = Trade.PROVIDER) String provider,
            @NotBlank @Size(max = 128) String outBusinessNo) {}

    private final EndpointCommandSender commands;
    private final PaymentReader payments;
    private final PaymentProviders providers;
    private final PaymentLinks links;
    private final PaidGoods goods;
    private final InstantSource clock;

    PaymentEndpoint(
            EndpointCommandSender commands,
            PaymentReader payments,
            PaymentProviders providers,
            PaymentLinks links,
            PaidGoods goods,
            InstantSource clock) {
        this.commands = commands;
        this.payments = payments;
        this.providers = providers;
        this.links = links;
        this.goods = goods;
        this.clock = clock;
    }

    record ProviderList(List<String> providers) {}

    @Operation(summary = "List the providers of payments", description = """
                    Returns the names of the providers by which users can pay. The list is empty if the lottery sells
                    nothing for money.""")
    @GetMapping("/api/v1/payment-providers")
    ProviderList listPaymentProviders() {
        return new ProviderList(providers.names());
    }

    @Operation(summary = "Buy a SKU with money", description = """
                    Reserves the SKU for 30 minutes and returns the text of a QR code by which the user pays its price.
                    When the money is there, the SKU is delivered, or the money is given back. The same request again
                    returns 200 with the payment as it is now; with another provider, both may take the money, and the
                    first one that does counts. The same number for another SKU is refused with KEY_REUSED. If the
                    provider does not answer, the request is refused with NOT_READY, and can be repeated.""")
    @IdempotentCreation
    @PostMapping("/api/v1/activities/{activityId}/accounts/{userId}/payments")
    ResponseEntity<PaymentReceipt> orderPayment(
            @PathVariable ActivityId activityId, @PathVariable UserId userId, @Valid @RequestBody PaymentRequest form) {
        AccountId account = new AccountId(activityId, userId);
        SkuId sku = new SkuId(form.sku());
        Optional<PaymentProvider> chosen = providers.find(form.provider());
        if (chosen.isEmpty()) {
            // A provider that was switched off takes no new payments. Earlier ones are answered.
            return IdempotentReplyBuilder.repeated(PaymentReceipt.of(
                    earlier(account, form, unfit(FlawKind.PROVIDER_UNKNOWN)).orThrow()));
        }
        PaymentProvider provider = chosen.get();
        IdempotentResult<PaymentProgress> ordered = commands.spend(
                        userId,
                        new OrderPayment(account, sku, form.outBusinessNo(), provider.name()),
                        // Most refusals are found before a command is sent, and then no command is needed.
                        () -> goods.offer(account, sku).then(offer -> takes(provider, offer)),
                        refused -> earlier(account, form, refused))
                .orThrow();
        PaymentReceipt receipt = receipt(ordered.value(), provider)
                .orElseThrow(() -> new RefusedException(Refusal.NOT_READY, provider.name()));
        return ordered.isReplayed()
                ? IdempotentReplyBuilder.repeated(receipt)
                : IdempotentReplyBuilder.created(URI.create("/api/v1/payments/" + receipt.paymentId()), receipt);
    }

    private static Answer<SkuOffer> takes(PaymentProvider provider, SkuOffer offer) {
        return provider.takes(Objects.requireNonNull(offer.price()))
                ? Answer.done(offer)
                : Answer.no(unfit(FlawKind.PROVIDER_UNFIT));
    }

    private static Refused unfit(FlawKind flaw) {
        return new Refused(Refusal.INVALID, PROVIDER, List.of(new SubmissionFlaw(PROVIDER, flaw)));
    }

    /** Returns the payment that an earlier request has ordered, which from now on may also use this provider. */
    private Answer<PaymentProgress> earlier(AccountId account, PaymentRequest form, Refused refused) {
        return payments.find(PaymentId.of(account.userId(), form.outBusinessNo()))
                .map(made -> made.accountId().equals(account) && made.sku().value() == form.sku()
                        ? withProvider(made, form.provider())
                        : Answer.<PaymentProgress>no(new Refused(Refusal.KEY_REUSED, form.outBusinessNo())))
                .orElseGet(() -> Answer.no(refused));
    }

    private Answer<PaymentProgress> withProvider(PaymentProgress made, String provider) {
        if (made.providers().contains(provider) || !isPayable(made)) {
            return Answer.done(made);
        }
        return !providers.takes(provider, made.price())
                ? Answer.no(unfit(FlawKind.PROVIDER_UNFIT))
                : commands.send(new AddProvider(made.paymentId(), provider));
    }

    private boolean isPayable(PaymentProgress payment) {
        return payment.state() == PaymentState.WAITING && clock.instant().isBefore(payment.expiresAt());
    }

    /** Returns the payment with its link, if it needs one; empty if the provider gives none now. */
    private Optional<PaymentReceipt> receipt(PaymentProgress payment, PaymentProvider provider) {
        if (!isPayable(payment)) {
            return Optional.of(PaymentReceipt.of(payment));
        }
        URI lottery =
                ServletUriComponentsBuilder.fromCurrentContextPath().build().toUri();
        PaymentDemand demand = new PaymentDemand(
                payment.paymentId(), payment.price(), goods.title(payment), payment.expiresAt(), lottery);
        try {
            return Optional.of(PaymentReceipt.of(payment, provider.name(), links.link(provider, demand)));
        } catch (PaymentProviderUnavailableException e) {
            LOG.warn("{} gives no link for {}: {}.", provider.name(), payment.paymentId(), e.toString());
            return Optional.empty();
        }
    }

    @Operation(summary = "Show a payment", description = """
                    Returns the state of a payment and the money that was taken for it. While it waits, `code` is the
                    text of the QR code of the provider that was asked last, unless that one does not answer.""")
    @GetMapping(PAYMENT)
    PaymentReceipt getPayment(@PathVariable PaymentId paymentId) {
        PaymentProgress payment = find(paymentId);
        return shown(payment, payment.providers().getLast());
    }

    private PaymentReceipt shown(PaymentProgress payment, String provider) {
        return providers
                .find(provider)
                .flatMap(known -> receipt(payment, known))
                .orElseGet(() -> PaymentReceipt.of(payment));
    }

    @Operation(summary = "Show the QR code of a payment", description = """
                    Returns an image of the QR code by which the user pays, at the provider that was asked last or at
                    another `provider` of the payment. If the payment does not wait for money any more, or the provider
                    does not answer, the request is refused with PAYMENT_STATE.""")
    @ApiResponse(
            responseCode = "200",
            description = "OK",
            content =
                    @Content(
                            mediaType = MediaType.IMAGE_PNG_VALUE,
                            schema = @Schema(type = "string", format = "binary")))
    @GetMapping(path = PAYMENT + "/qr.png", produces = MediaType.IMAGE_PNG_VALUE)
    ResponseEntity<byte[]> getPaymentQrCode(
            @PathVariable PaymentId paymentId, @RequestParam(required = false) @Nullable String provider) {
        PaymentProgress payment = find(paymentId);
        String chosen = payment.providers().stream()
                .filter(each -> each.equals(provider))
                .findFirst()
                .orElse(payment.providers().getLast());
        String code = shown(payment, chosen).code();
        if (code == null) {
            throw new RefusedException(Refusal.PAYMENT_STATE, paymentId.text());
        }
        return ResponseEntity.ok().contentType(MediaType.IMAGE_PNG).body(QrCode.png(code));
    }

    private PaymentProgress find(PaymentId paymentId) {
        return payments.find(paymentId)
                .filter(payment ->
                        Actor.mayAccessDataOf(payment.accountId().userId().value()))
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, paymentId.text()));
    }
}
