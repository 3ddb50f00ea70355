package lottery.payment.simulator;

import io.swagger.v3.oas.annotations.Hidden;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Digits;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.PositiveOrZero;
import java.math.BigDecimal;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import lottery.api.Money;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.payment.PaymentId;
import lottery.payment.simulator.SimulatedPaymentTable.SimulatedPayment;
import lottery.payment.simulator.SimulatedPaymentTable.SimulatedTrade;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/**
 * The wallet of the simulated provider. Everybody who has the link of a payment can pay it, and can say how the
 * provider misbehaves.
 */
@RestController
@ConditionalOnExpression(SimulatorConfiguration.IS_CHOSEN)
@Hidden
class SimulatedProviderEndpoint {

    private static final String HTML = "text/html;charset=UTF-8";
    private static final int TRADE_NO_BYTES = 16;

    /**
     * How a payment is paid. A field that is left out is done as a good provider does it.
     *
     * @param amount another amount than the price
     * @param times how many times the money is taken
     * @param callbacks how many messages tell of each at once; 0: none ever does
     * @param afterSeconds how long the money is under way, even beyond the time of the payment
     * @param silentSeconds how long the provider answers nothing about this payment
     * @param refusesRefunds whether the provider gives nothing back
     */
    record Wish(
            @Nullable @Positive @Digits(integer = 9, fraction = 2)
            BigDecimal amount,

            @Nullable @PositiveOrZero @Max(3) Integer times,
            @Nullable @Min(0) @Max(50) Integer callbacks,
            @Nullable @PositiveOrZero @Max(3_600) Integer afterSeconds,
            @Nullable @PositiveOrZero @Max(3_600) Integer silentSeconds,
            @Nullable Boolean refusesRefunds) {}

    record Paid(List<String> tradeNos) {}

    private final SimulatedPaymentTable table;
    private final InstantSource clock;
    private final SecureRandom random;
    private final SimulatedMessenger messenger;

    SimulatedProviderEndpoint(
            SimulatedPaymentTable table, InstantSource clock, SecureRandom random, SimulatedMessenger messenger) {
        this.table = table;
        this.clock = clock;
        this.random = random;
        this.messenger = messenger;
    }

    private boolean isOpen(SimulatedPayment payment) {
        return !payment.isClosed() && clock.instant().isBefore(payment.expiresAt());
    }

    @GetMapping(path = "/pay/{paymentId}", produces = HTML)
    ResponseEntity<String> wallet(@PathVariable PaymentId paymentId, Locale locale) {
        SimulatedPayment payment = find(paymentId);
        return page(SimulatedWalletPage.of(payment, isOpen(payment), false, locale));
    }

    /** Pays by the form of the wallet. */
    @PostMapping(path = "/pay/{paymentId}", consumes = MediaType.APPLICATION_FORM_URLENCODED_VALUE, produces = HTML)
    ResponseEntity<String> payInWallet(
            @PathVariable PaymentId paymentId, @Valid @ModelAttribute Wish wish, Locale locale) {
        boolean isOpen = isOpen(find(paymentId));
        if (isOpen) {
            pay(paymentId, wish);
        }
        return page(SimulatedWalletPage.of(find(paymentId), isOpen, isOpen, locale));
    }

    private static ResponseEntity<String> page(String html) {
        return ResponseEntity.ok()
                .header("Content-Security-Policy", SimulatedWalletPage.POLICY)
                .header("Referrer-Policy", "no-referrer")
                .cacheControl(CacheControl.noStore())
                .body(html);
    }

    @PostMapping(
            path = "/pay/{paymentId}",
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = MediaType.APPLICATION_JSON_VALUE)
    Paid pay(@PathVariable PaymentId paymentId, @Valid @RequestBody Wish wish) {
        SimulatedPayment payment = find(paymentId);
        if (!isOpen(payment)) {
            throw new RefusedException(Refusal.PAYMENT_STATE, paymentId.text());
        }
        String number = paymentId.number();
        BigDecimal amount =
                Objects.requireNonNullElse(wish.amount(), payment.price().amount());
        if (!Money.isPossible(amount, payment.price().currency())) {
            throw new RefusedException(Refusal.INVALID, "amount");
        }
        Instant now = clock.instant();
        int silentSeconds = Objects.requireNonNullElse(wish.silentSeconds(), 0);
        table.misbehave(
                number,
                silentSeconds == 0 ? null : now.plusSeconds(silentSeconds),
                Boolean.TRUE.equals(wish.refusesRefunds()));
        Duration underWay = Duration.ofSeconds(Objects.requireNonNullElse(wish.afterSeconds(), 0));
        int callbacks = Objects.requireNonNullElse(wish.callbacks(), 1);
        List<SimulatedTrade> trades = new ArrayList<>();
        for (int i = Objects.requireNonNullElse(wish.times(), 1); i > 0; i--) {
            trades.add(new SimulatedTrade(
                    tradeNo(), number, new Money(amount, payment.price().currency()), now.plus(underWay), null));
        }
        if (!trades.isEmpty() && !table.take(trades, callbacks == 0)) {
            throw new RefusedException(Refusal.PAYMENT_STATE, paymentId.text());
        }
        for (SimulatedTrade trade : trades) {
            for (int told = 0; told < callbacks && underWay.isZero(); told++) {
                Thread.startVirtualThread(() -> messenger.tell(trade));
            }
        }
        return new Paid(trades.stream().map(SimulatedTrade::tradeNo).toList());
    }

    private String tradeNo() {
        byte[] bytes = new byte[TRADE_NO_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private SimulatedPayment find(PaymentId paymentId) {
        return table.find(paymentId.number())
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, paymentId.text()));
    }
}
