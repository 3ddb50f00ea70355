package lottery.alipay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import lottery.alipay.AlipayGateway.Mood;
import lottery.api.Money;
import lottery.api.UserId;
import lottery.api.payment.PaymentId;
import lottery.api.payment.Trade;
import lottery.payment.ForgedCallbackException;
import lottery.payment.PaymentProvider.MoneyReceipt;
import lottery.payment.PaymentProvider.PaymentDemand;
import lottery.payment.PaymentProviderUnavailableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;

/** Tests payments by Alipay's own library, over HTTP, at a gateway of the test. */
@DisplayName("A payment by Alipay")
class AlipayProviderTest {

    private static final Instant NOON = Instant.parse("2026-11-30T04:00:00Z");
    private static final PaymentId PAYMENT = PaymentId.of(new UserId("ann"), "buy-1");
    private static final Money PRICE = new Money(new BigDecimal("9.9"), "CNY");
    private static final HttpHeaders NONE = new HttpHeaders();

    private final AlipayGateway gateway = new AlipayGateway();
    private final AlipayProvider alipay = new AlipayProvider(gateway.settings(), InstantSource.fixed(NOON));

    AlipayProviderTest() throws Exception {}

    @AfterEach
    void close() {
        gateway.close();
    }

    private String open() {
        return alipay.open(new PaymentDemand(
                PAYMENT,
                PRICE,
                "Five draws & more = 1/2",
                NOON.plusSeconds(1_800),
                URI.create("https://lottery.example.com")));
    }

    private static MoneyReceipt receipt(String tradeNo) {
        return new MoneyReceipt(PAYMENT, new Trade("alipay", tradeNo), PRICE, NOON);
    }

    @Test
    @DisplayName("An order has the number, the price and the end of the payment, and its link is the same each time.")
    void ordered() {
        assertThat(open())
                .isEqualTo("https://qr.alipay.com/" + PAYMENT.number())
                .isEqualTo(open());
        assertThat(gateway.lastOrder().path("out_trade_no").asString()).matches("[0-9a-z]{1,64}");
        assertThat(gateway.lastOrder().path("subject").asString()).isEqualTo("Five draws   more   1 2");
        assertThat(gateway.lastOrder().path("product_code").asString()).isEqualTo("QR_CODE_OFFLINE");
        assertThat(gateway.lastOrder().path("total_amount").asString()).isEqualTo("9.90");
        assertThat(gateway.lastOrder().path("time_expire").asString()).isEqualTo("2026-11-30 12:30:00");
        assertThat(alipay.receipts(PAYMENT)).isEmpty();
        assertThat(alipay.takes(PRICE)).isTrue();
        assertThat(alipay.takes(new Money(BigDecimal.ONE, "EUR"))).isFalse();
    }

    @Test
    @DisplayName("Money is found by asking and by the message, as the same trade, also after it was given back.")
    void paid() {
        open();
        String tradeNo = gateway.pay(PAYMENT.number());
        assertThat(alipay.receipts(PAYMENT)).containsExactly(receipt(tradeNo));
        assertThat(alipay.read(NONE, gateway.message(PAYMENT.number(), Map.of())))
                .contains(receipt(tradeNo));
        assertThat(alipay.refund(PAYMENT, new Trade("alipay", tradeNo), PRICE, "r0"))
                .isEmpty();
        assertThat(alipay.refund(PAYMENT, new Trade("alipay", tradeNo), PRICE, "r0"))
                .as("again")
                .isEmpty();
        assertThat(alipay.receipts(PAYMENT)).containsExactly(receipt(tradeNo));
        assertThat(alipay.acknowledgement()).isEqualTo("success");
    }

    @Test
    @DisplayName("A paid payment is closed for sure, and one that nobody has scanned is not.")
    void closed() {
        assertThat(alipay.close(PAYMENT)).isFalse();
        open();
        assertThat(alipay.close(PAYMENT)).isFalse();
        gateway.pay(PAYMENT.number());
        assertThat(alipay.close(PAYMENT)).isTrue();
    }

    @Test
    @DisplayName("A refund that Alipay refuses names the cause.")
    void refundRefused() {
        open();
        Trade trade = new Trade("alipay", gateway.pay(PAYMENT.number()));
        gateway.be(Mood.POOR);
        assertThat(alipay.refund(PAYMENT, trade, PRICE, "r0")).contains("refused (ACQ.SELLER_BALANCE_NOT_ENOUGH)");
        gateway.be(Mood.USUAL);
        assertThat(alipay.refund(PAYMENT, trade, PRICE, "r0")).isEmpty();
        gateway.be(Mood.POOR);
        assertThat(alipay.refund(PAYMENT, trade, PRICE, "r0"))
                .as("refused, and given back before")
                .isEmpty();
    }

    @Test
    @DisplayName("Without an answer, or with one that Alipay has not signed, each call is repeated later.")
    void unavailable() {
        open();
        Trade trade = new Trade("alipay", gateway.pay(PAYMENT.number()));
        for (Mood mood : List.of(Mood.BROKEN, Mood.FORGED)) {
            gateway.be(mood);
            for (Runnable call : List.<Runnable>of(
                    this::open,
                    () -> alipay.receipts(PAYMENT),
                    () -> alipay.close(PAYMENT),
                    () -> alipay.refund(PAYMENT, trade, PRICE, "r0"))) {
                assertThatThrownBy(call::run).isInstanceOf(PaymentProviderUnavailableException.class);
            }
        }
    }

    @Test
    @DisplayName("A message that is forged, changed, or for another shop is refused.")
    void forged() {
        open();
        String number = PAYMENT.number();
        gateway.pay(number);
        String changed = new String(gateway.message(number, Map.of()), UTF_8).replace("9.90", "0.01");
        for (byte[] message : List.of(
                gateway.forged(number),
                changed.getBytes(UTF_8),
                gateway.message(number, Map.of("app_id", "2021000000000002")),
                gateway.message(number, Map.of("seller_id", "2088000000000002")),
                gateway.message(number, Map.of("out_trade_no", "order-of-another-shop")),
                gateway.message(number, Map.of("total_amount", "much")),
                "sign=%zz".getBytes(UTF_8),
                new byte[0])) {
            assertThatThrownBy(() -> alipay.read(NONE, message))
                    .as(new String(message, UTF_8))
                    .isInstanceOf(ForgedCallbackException.class);
        }
    }

    @Test
    @DisplayName("A message about a trade that nobody has paid tells of no money.")
    void unpaid() {
        gateway.pay(PAYMENT.number());
        assertThat(alipay.read(NONE, gateway.message(PAYMENT.number(), Map.of("trade_status", "TRADE_CLOSED"))))
                .isEmpty();
    }
}
