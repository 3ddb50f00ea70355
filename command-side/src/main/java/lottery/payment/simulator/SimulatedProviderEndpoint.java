package lottery.payment.simulator;

import io.swagger.v3.oas.annotations.Hidden;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Digits;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.PositiveOrZero;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import lottery.api.Money;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.payment.simulator.SimulatedPaymentTable.SimulatedPayment;
import lottery.payment.simulator.SimulatedPaymentTable.SimulatedTrade;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.core.env.Environment;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
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

    private static final Logger LOG = LoggerFactory.getLogger(SimulatedProviderEndpoint.class);

    private static final int TRADE_NO_BYTES = 16;
    private static final Duration CALL_MAX = Duration.ofSeconds(5);

    /** @param isOpen whether the wallet can pay it */
    record Demand(String amount, String currency, Instant expiresAt, boolean isOpen) {}

    /**
     * How a payment is paid. What is left out is done as a good provider does it.
     *
     * @param amount another amount than the price
     * @param times how many times the money is taken
     * @param callbacks how often each is told; 0: never
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

    private final SimulatedProvider provider;
    private final SimulatedPaymentTable table;
    private final InstantSource clock;
    private final SecureRandom random;
    private final Environment environment;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(CALL_MAX).build();

    SimulatedProviderEndpoint(
            SimulatedProvider provider,
            SimulatedPaymentTable table,
            InstantSource clock,
            SecureRandom random,
            Environment environment) {
        this.provider = provider;
        this.table = table;
        this.clock = clock;
        this.random = random;
        this.environment = environment;
    }

    @GetMapping(path = "/pay/{number}/demand", produces = MediaType.APPLICATION_JSON_VALUE)
    Demand demand(@PathVariable String number) {
        SimulatedPayment payment = find(number);
        return new Demand(
                payment.price().amount().toPlainString(),
                payment.price().currency(),
                payment.expiresAt(),
                isOpen(payment));
    }

    private boolean isOpen(SimulatedPayment payment) {
        return !payment.isClosed() && clock.instant().isBefore(payment.expiresAt());
    }

    @PostMapping(path = "/pay/{number}", produces = MediaType.APPLICATION_JSON_VALUE)
    Paid pay(@PathVariable String number, @Valid @RequestBody Wish wish) {
        SimulatedPayment payment = find(number);
        if (!isOpen(payment)) {
            throw new RefusedException(Refusal.PAYMENT_STATE, number);
        }
        Instant now = clock.instant();
        int silentSeconds = Objects.requireNonNullElse(wish.silentSeconds(), 0);
        table.misbehave(
                number,
                silentSeconds == 0 ? null : now.plusSeconds(silentSeconds),
                Boolean.TRUE.equals(wish.refusesRefunds()));
        Duration underWay = Duration.ofSeconds(Objects.requireNonNullElse(wish.afterSeconds(), 0));
        BigDecimal amount =
                Objects.requireNonNullElse(wish.amount(), payment.price().amount());
        List<String> tradeNos = new ArrayList<>();
        for (int i = Objects.requireNonNullElse(wish.times(), 1); i > 0; i--) {
            SimulatedTrade trade = new SimulatedTrade(
                    tradeNo(), number, new Money(amount, payment.price().currency()), now.plus(underWay), null);
            table.take(trade);
            tradeNos.add(trade.tradeNo());
            int callbacks = Objects.requireNonNullElse(wish.callbacks(), 1);
            for (int told = 0; told < callbacks; told++) {
                CompletableFuture.delayedExecutor(
                                underWay.toMillis(), TimeUnit.MILLISECONDS, Thread::startVirtualThread)
                        .execute(() -> tell(trade));
            }
        }
        return new Paid(tradeNos);
    }

    private String tradeNo() {
        byte[] bytes = new byte[TRADE_NO_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private SimulatedPayment find(String number) {
        return table.find(number).orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, number));
    }

    /** Sends a message to this lottery, as another company would. If it is lost, the lottery has to ask. */
    private void tell(SimulatedTrade trade) {
        byte[] body = provider.message(trade);
        URI lottery = URI.create("http://127.0.0.1:%s/api/v1/payment-callbacks/%s"
                .formatted(environment.getRequiredProperty("local.server.port"), SimulatedProvider.NAME));
        try {
            int status = http.send(
                            HttpRequest.newBuilder(lottery)
                                    .timeout(CALL_MAX)
                                    .header("Content-Type", MediaType.APPLICATION_JSON_VALUE)
                                    .header(SimulatedProvider.SIGNATURE, provider.signature(body))
                                    .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                                    .build(),
                            BodyHandlers.discarding())
                    .statusCode();
            LOG.info("The simulator has told of {}, and was answered {}.", trade.tradeNo(), status);
        } catch (IOException e) {
            LOG.info("The simulator could not tell of {}: {}.", trade.tradeNo(), e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
