package lottery.alipay;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.alipay.api.AlipayApiException;
import com.alipay.api.AlipayClient;
import com.alipay.api.AlipayConfig;
import com.alipay.api.AlipayRequest;
import com.alipay.api.AlipayResponse;
import com.alipay.api.DefaultAlipayClient;
import com.alipay.api.domain.AlipayTradeCloseModel;
import com.alipay.api.domain.AlipayTradeFastpayRefundQueryModel;
import com.alipay.api.domain.AlipayTradePrecreateModel;
import com.alipay.api.domain.AlipayTradeQueryModel;
import com.alipay.api.domain.AlipayTradeRefundModel;
import com.alipay.api.internal.util.AlipayLogger;
import com.alipay.api.internal.util.AlipaySignature;
import com.alipay.api.request.AlipayTradeCloseRequest;
import com.alipay.api.request.AlipayTradeFastpayRefundQueryRequest;
import com.alipay.api.request.AlipayTradePrecreateRequest;
import com.alipay.api.request.AlipayTradeQueryRequest;
import com.alipay.api.request.AlipayTradeRefundRequest;
import com.alipay.api.response.AlipayTradeCloseResponse;
import com.alipay.api.response.AlipayTradeQueryResponse;
import com.alipay.api.response.AlipayTradeRefundResponse;
import java.math.BigDecimal;
import java.net.URLDecoder;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import lottery.api.Money;
import lottery.api.payment.PaymentId;
import lottery.api.payment.Trade;
import lottery.payment.ForgedCallbackException;
import lottery.payment.PaymentProvider;
import lottery.payment.PaymentProviderUnavailableException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * Payments by a QR code of Alipay. The number of a payment is the {@code out_trade_no}, so a repeated call concerns the
 * same trade. Messages and answers are signed with RSA2.
 */
final class AlipayProvider implements PaymentProvider {

    static final String NAME = "alipay";

    private static final String CURRENCY = "CNY";
    private static final String SIGN_TYPE = "RSA2";
    private static final String CHARSET = UTF_8.name();

    private static final Duration CONNECT_MAX = Duration.ofSeconds(3);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(8);

    /** Alipay writes times on this clock. */
    private static final ZoneId ZONE = ZoneId.of("Asia/Shanghai");

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZONE);

    /** The code of a call that Alipay has refused for a reason of business, which its sub-code names. */
    private static final String REFUSED = "40004";

    private static final String TRADE_UNKNOWN = "ACQ.TRADE_NOT_EXIST";

    /** Why Alipay refuses to close a trade that does not wait for its buyer: it is paid or closed already. */
    private static final Set<String> NOT_WAITING =
            Set.of("ACQ.TRADE_STATUS_ERROR", "ACQ.REASON_TRADE_STATUS_INVALID", "ACQ.REASON_ILLEGAL_STATUS");

    /** A refused call that may be repeated. */
    private static final Set<String> TRANSIENT =
            Set.of("ACQ.SYSTEM_ERROR", "aop.ACQ.SYSTEM_ERROR", "ACQ.REFUND_CHARGE_ERROR");

    /** Characters that Alipay does not allow in a title. */
    private static final String UNFIT_FOR_TITLE = "[/=&\\p{Cntrl}]";

    private static final int TITLE_MAX = 100;

    private static final Set<String> PAID = Set.of("TRADE_SUCCESS", "TRADE_FINISHED");
    private static final String CLOSED = "TRADE_CLOSED";

    private final AlipaySettings settings;
    private final InstantSource clock;
    private final AlipayClient client;

    AlipayProvider(AlipaySettings settings, InstantSource clock) throws AlipayApiException {
        this.settings = settings;
        this.clock = clock;
        AlipayConfig config = new AlipayConfig();
        config.setServerUrl(settings.gateway().toString());
        config.setAppId(settings.appId());
        config.setPrivateKey(settings.privateKey());
        config.setAlipayPublicKey(settings.publicKey());
        config.setCharset(CHARSET);
        config.setSignType(SIGN_TYPE);
        config.setConnectTimeout((int) CONNECT_MAX.toMillis());
        config.setReadTimeout((int) ANSWER_MAX.toMillis());
        this.client = new DefaultAlipayClient(config);
        // It would log each request with its signature.
        AlipayLogger.setNeedEnableLogger(false);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean takes(Money price) {
        return price.currency().equals(CURRENCY);
    }

    @Override
    public String open(PaymentDemand demand) {
        AlipayTradePrecreateModel model = new AlipayTradePrecreateModel();
        model.setOutTradeNo(demand.paymentId().number());
        model.setTotalAmount(demand.price().amount().toPlainString());
        model.setSubject(title(demand.title()));
        model.setProductCode(settings.productCode());
        model.setTimeExpire(TIME.format(demand.expiresAt()));
        AlipayTradePrecreateRequest request = new AlipayTradePrecreateRequest();
        request.setBizModel(model);
        request.setNotifyUrl(settings.notifyUrl().toString());
        return required(request).getQrCode();
    }

    private static String title(String text) {
        String fit = text.replaceAll(UNFIT_FOR_TITLE, " ");
        return fit.substring(0, Math.min(fit.length(), TITLE_MAX));
    }

    @Override
    public List<MoneyReceipt> receipts(PaymentId paymentId) {
        AlipayTradeQueryModel model = new AlipayTradeQueryModel();
        model.setOutTradeNo(paymentId.number());
        AlipayTradeQueryRequest request = new AlipayTradeQueryRequest();
        request.setBizModel(model);
        AlipayTradeQueryResponse trade = answer(request);
        if (!trade.isSuccess()) {
            if (TRADE_UNKNOWN.equals(trade.getSubCode())) {
                return List.of();
            }
            throw unavailable(trade);
        }
        // A trade is closed if nobody has paid, and also after all its money was given back.
        boolean isPaid = PAID.contains(trade.getTradeStatus())
                || (CLOSED.equals(trade.getTradeStatus()) && trade.getSendPayDate() != null);
        if (!isPaid) {
            return List.of();
        }
        Instant takenAt = trade.getSendPayDate() == null
                ? clock.instant()
                : trade.getSendPayDate().toInstant();
        return List.of(new MoneyReceipt(
                paymentId, new Trade(NAME, trade.getTradeNo()), money(trade.getTotalAmount()), takenAt));
    }

    private static Money money(String amount) {
        return new Money(new BigDecimal(amount), CURRENCY);
    }

    /** A code that nobody has scanned makes no trade that could be closed. It ends with the time of the payment. */
    @Override
    public boolean close(PaymentId paymentId) {
        AlipayTradeCloseModel model = new AlipayTradeCloseModel();
        model.setOutTradeNo(paymentId.number());
        AlipayTradeCloseRequest request = new AlipayTradeCloseRequest();
        request.setBizModel(model);
        AlipayTradeCloseResponse closed = answer(request);
        if (closed.isSuccess() || NOT_WAITING.contains(String.valueOf(closed.getSubCode()))) {
            return true;
        } else if (TRADE_UNKNOWN.equals(closed.getSubCode())) {
            return false;
        }
        throw unavailable(closed);
    }

    @Override
    public Optional<String> refund(PaymentId paymentId, Trade trade, Money money, String refundNo) {
        AlipayTradeRefundModel model = new AlipayTradeRefundModel();
        model.setTradeNo(trade.tradeNo());
        model.setRefundAmount(money.amount().toPlainString());
        model.setOutRequestNo(refundNo);
        AlipayTradeRefundRequest request = new AlipayTradeRefundRequest();
        request.setBizModel(model);
        AlipayTradeRefundResponse refund = answer(request);
        if (refund.isSuccess()) {
            // Without a change of funds, an earlier request with this number has given the money back, or nothing has.
            if (!"Y".equals(refund.getFundChange()) && !isRefunded(trade, refundNo)) {
                throw unavailable(refund);
            }
            return Optional.empty();
        }
        if (!REFUSED.equals(refund.getCode()) || TRANSIENT.contains(String.valueOf(refund.getSubCode()))) {
            throw unavailable(refund);
        }
        // An earlier request, whose answer was lost, may have given the money back.
        return isRefunded(trade, refundNo)
                ? Optional.empty()
                : Optional.of("%s (%s)".formatted(refund.getSubMsg(), refund.getSubCode()));
    }

    private boolean isRefunded(Trade trade, String refundNo) {
        AlipayTradeFastpayRefundQueryModel model = new AlipayTradeFastpayRefundQueryModel();
        model.setTradeNo(trade.tradeNo());
        model.setOutRequestNo(refundNo);
        AlipayTradeFastpayRefundQueryRequest request = new AlipayTradeFastpayRefundQueryRequest();
        request.setBizModel(model);
        return "REFUND_SUCCESS".equals(required(request).getRefundStatus());
    }

    @Override
    public Optional<MoneyReceipt> read(HttpHeaders headers, byte[] body) {
        Map<String, String> message = signed(fields(body));
        require(message, "app_id", settings.appId());
        require(message, "seller_id", settings.sellerId());
        if (!PAID.contains(message.getOrDefault("trade_status", ""))) {
            return Optional.empty();
        }
        PaymentId paymentId = PaymentId.ofNumber(message.getOrDefault("out_trade_no", ""))
                .orElseThrow(() -> new ForgedCallbackException("its out_trade_no is not one of the lottery"));
        try {
            return Optional.of(new MoneyReceipt(
                    paymentId,
                    new Trade(NAME, message.getOrDefault("trade_no", "")),
                    money(message.getOrDefault("total_amount", "")),
                    takenAt(message.get("gmt_payment"))));
        } catch (IllegalArgumentException | DateTimeException unreadable) {
            throw new ForgedCallbackException("it tells of no money");
        }
    }

    @Override
    public String acknowledgement() {
        return "success";
    }

    private Instant takenAt(@Nullable String time) {
        return time == null
                ? clock.instant()
                : LocalDateTime.parse(time, TIME).atZone(ZONE).toInstant();
    }

    private static Map<String, String> fields(byte[] form) {
        Map<String, String> fields = new HashMap<>();
        try {
            for (String field : new String(form, UTF_8).split("&", -1)) {
                int end = field.indexOf('=');
                if (end > 0) {
                    fields.put(
                            URLDecoder.decode(field.substring(0, end), UTF_8),
                            URLDecoder.decode(field.substring(end + 1), UTF_8));
                }
            }
        } catch (IllegalArgumentException malformed) {
            throw new ForgedCallbackException("it is no form");
        }
        return fields;
    }

    /** Returns the fields of a message that Alipay has signed, without the signature. */
    private Map<String, String> signed(Map<String, String> fields) {
        try {
            if (AlipaySignature.rsaCheckV1(fields, settings.publicKey(), CHARSET, SIGN_TYPE)) {
                return fields;
            }
        } catch (AlipayApiException unreadable) {
            // Alipay's library says so, for example of a signature that is no Base64.
        }
        throw new ForgedCallbackException("Alipay has not signed it");
    }

    private static void require(Map<String, String> message, String field, String expected) {
        if (!expected.equals(message.get(field))) {
            throw new ForgedCallbackException("it is for another shop: " + field);
        }
    }

    private <T extends AlipayResponse> T required(AlipayRequest<T> request) {
        T answer = answer(request);
        if (!answer.isSuccess()) {
            throw unavailable(answer);
        }
        return answer;
    }

    private <T extends AlipayResponse> T answer(AlipayRequest<T> request) {
        try {
            return client.execute(request);
        } catch (AlipayApiException e) {
            throw new PaymentProviderUnavailableException(NAME, e);
        }
    }

    private static PaymentProviderUnavailableException unavailable(AlipayResponse answer) {
        return new PaymentProviderUnavailableException(
                NAME,
                new IllegalStateException(
                        "%s %s: %s".formatted(answer.getCode(), answer.getSubCode(), answer.getSubMsg())));
    }
}
