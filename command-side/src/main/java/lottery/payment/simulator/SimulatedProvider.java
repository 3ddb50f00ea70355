package lottery.payment.simulator;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import lottery.api.Money;
import lottery.api.payment.PaymentId;
import lottery.api.payment.Trade;
import lottery.payment.ForgedCallbackException;
import lottery.payment.PaymentProvider;
import lottery.payment.PaymentProviderUnavailableException;
import lottery.payment.simulator.SimulatedPaymentTable.SimulatedPayment;
import lottery.payment.simulator.SimulatedPaymentTable.SimulatedTrade;
import org.springframework.http.HttpHeaders;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A provider that takes no real money. Its page pays, and tells it how to misbehave. */
final class SimulatedProvider implements PaymentProvider {

    static final String NAME = "simulator";

    /** The header with the signature of a message: the HMAC-SHA256 of its body, in hex. */
    static final String SIGNATURE = "Simulator-Signature";

    private static final String HMAC = "HmacSHA256";
    private static final int KEY_BYTES = 32;
    private static final JsonMapper JSON = JsonMapper.shared();

    private final SimulatedPaymentTable table;
    private final InstantSource clock;
    private final SecretKeySpec key;

    SimulatedProvider(SimulatedPaymentTable table, InstantSource clock, SecureRandom random) {
        this.table = table;
        this.clock = clock;
        byte[] madeUp = new byte[KEY_BYTES];
        random.nextBytes(madeUp);
        this.key = new SecretKeySpec(
                HexFormat.of().parseHex(table.signingKey(HexFormat.of().formatHex(madeUp))), HMAC);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean takes(Money price) {
        return true;
    }

    @Override
    public String open(PaymentDemand demand) {
        requireAnswer(demand.paymentId());
        table.open(demand);
        return demand.lottery() + "/pay/" + demand.paymentId();
    }

    @Override
    public List<MoneyReceipt> receipts(PaymentId paymentId) {
        requireAnswer(paymentId);
        Instant now = clock.instant();
        return table.trades(paymentId.number()).stream()
                .filter(trade -> !trade.takenAt().isAfter(now))
                .map(trade -> receipt(paymentId, trade))
                .toList();
    }

    private static MoneyReceipt receipt(PaymentId paymentId, SimulatedTrade trade) {
        return new MoneyReceipt(paymentId, new Trade(NAME, trade.tradeNo()), trade.money(), trade.takenAt());
    }

    @Override
    public boolean close(PaymentId paymentId) {
        requireAnswer(paymentId);
        table.close(paymentId.number());
        return true;
    }

    @Override
    public Optional<String> refund(PaymentId paymentId, Trade trade, Money money, String refundNo) {
        if (requireAnswer(paymentId).filter(SimulatedPayment::refusesRefunds).isPresent()) {
            return Optional.of("the account of the shop is empty");
        }
        return table.refund(trade.tradeNo(), refundNo)
                ? Optional.empty()
                : Optional.of("there is no such trade, or it was given back under another number");
    }

    /** Returns the payment, unless the provider was told to be silent about it. */
    private Optional<SimulatedPayment> requireAnswer(PaymentId paymentId) {
        Optional<SimulatedPayment> known = table.find(paymentId.number());
        Instant silentUntil = known.map(SimulatedPayment::silentUntil).orElse(null);
        if (silentUntil != null && clock.instant().isBefore(silentUntil)) {
            throw new PaymentProviderUnavailableException(NAME, new TimeoutException("it was told to be silent"));
        }
        return known;
    }

    @Override
    public Optional<MoneyReceipt> read(HttpHeaders headers, byte[] body) {
        String signature = headers.getFirst(SIGNATURE);
        if (signature == null
                || !MessageDigest.isEqual(
                        signature.getBytes(UTF_8), signature(body).getBytes(UTF_8))) {
            throw new ForgedCallbackException("it has no signature of the simulator");
        }
        try {
            JsonNode message = JSON.readTree(body);
            return PaymentId.ofNumber(message.path("number").asString(""))
                    .map(paymentId -> new MoneyReceipt(
                            paymentId,
                            new Trade(NAME, message.path("tradeNo").asString()),
                            new Money(
                                    new BigDecimal(message.path("amount").asString()),
                                    message.path("currency").asString()),
                            Instant.parse(message.path("takenAt").asString())));
        } catch (JacksonException | IllegalArgumentException | DateTimeException e) {
            throw new ForgedCallbackException("it tells of no money");
        }
    }

    /** Returns the message by which the provider says that it has taken money. */
    byte[] message(SimulatedTrade trade) {
        return JSON.writeValueAsBytes(JSON.createObjectNode()
                .put("number", trade.number())
                .put("tradeNo", trade.tradeNo())
                .put("amount", trade.money().amount().toPlainString())
                .put("currency", trade.money().currency())
                .put("takenAt", trade.takenAt().toString()));
    }

    /** Returns the signature of a message. */
    String signature(byte[] body) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            return HexFormat.of().formatHex(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public String acknowledgement() {
        return "success";
    }
}
