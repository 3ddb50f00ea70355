package lottery.alipay;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.alipay.api.AlipayApiException;
import com.alipay.api.internal.util.AlipaySignature;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Speaks the protocol of Alipay's gateway over HTTP, with keys that are made up for the test. */
final class AlipayGateway implements AutoCloseable {

    static final String APP_ID = "2021000000000001";
    static final String SELLER_ID = "2088000000000001";

    private static final JsonMapper JSON = JsonMapper.shared();

    /** How the gateway answers. */
    enum Mood {
        USUAL,
        /** Each call fails by a fault of the gateway. */
        BROKEN,
        /** Answers have a signature of somebody else. */
        FORGED,
        /** The account of the shop is empty. */
        POOR
    }

    /** A trade, after somebody has scanned the code. */
    private static final class GatewayTrade {

        private final String tradeNo;
        private final String amount;
        private String status = "WAIT_BUYER_PAY";
        private @Nullable String refundNo;

        private GatewayTrade(String tradeNo, String amount) {
            this.tradeNo = tradeNo;
            this.amount = amount;
        }
    }

    private final KeyPair app = keys();
    private final KeyPair alipay = keys();
    private final KeyPair stranger = keys();
    private final HttpServer server;
    private final Map<String, String> amounts = new ConcurrentHashMap<>();
    private final Map<String, GatewayTrade> trades = new ConcurrentHashMap<>();
    private volatile Mood mood = Mood.USUAL;
    private volatile JsonNode lastOrder = JSON.createObjectNode();

    AlipayGateway() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/gateway.do", this::handle);
        server.start();
    }

    private static KeyPair keys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String text(java.security.Key key) {
        return Base64.getEncoder().encodeToString(key.getEncoded());
    }

    AlipaySettings settings() {
        return new AlipaySettings(
                URI.create("http://127.0.0.1:%d/gateway.do"
                        .formatted(server.getAddress().getPort())),
                APP_ID,
                SELLER_ID,
                text(app.getPrivate()),
                text(alipay.getPublic()),
                URI.create("https://lottery.example.com/api/v1/payment-callbacks/alipay"),
                "QR_CODE_OFFLINE");
    }

    void be(Mood next) {
        mood = next;
    }

    /** Returns what the last order has asked for. */
    JsonNode lastOrder() {
        return lastOrder;
    }

    /** Lets a user scan the code of a payment, and pay. */
    String pay(String number) {
        GatewayTrade trade = new GatewayTrade("20261130" + trades.size(), amounts.getOrDefault(number, "0.01"));
        trade.status = "TRADE_SUCCESS";
        trades.put(number, trade);
        return trade.tradeNo;
    }

    /** Returns the message that Alipay sends about a payment, with some fields changed before it is signed. */
    byte[] message(String number, Map<String, String> changes) {
        GatewayTrade trade = Objects.requireNonNull(trades.get(number));
        Map<String, String> fields = new TreeMap<>(Map.of(
                "app_id",
                APP_ID,
                "seller_id",
                SELLER_ID,
                "notify_type",
                "trade_status_sync",
                "out_trade_no",
                number,
                "trade_no",
                trade.tradeNo,
                "trade_status",
                trade.status,
                "total_amount",
                trade.amount,
                "gmt_payment",
                "2026-11-30 12:00:00",
                "subject",
                "五次抽奖 & more",
                "charset",
                "UTF-8"));
        fields.putAll(changes);
        return form(fields, alipay);
    }

    /** Returns the same message with the signature of a stranger. */
    byte[] forged(String number) {
        Map<String, String> fields = new TreeMap<>(Map.of("app_id", APP_ID, "seller_id", SELLER_ID));
        fields.put("out_trade_no", number);
        fields.put("trade_status", "TRADE_SUCCESS");
        return form(fields, stranger);
    }

    private static byte[] form(Map<String, String> fields, KeyPair signer) {
        String content = fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + field.getValue())
                .collect(Collectors.joining("&"));
        Map<String, String> all = new TreeMap<>(fields);
        all.put("sign", sign(content, signer));
        all.put("sign_type", "RSA2");
        return all.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), UTF_8))
                .collect(Collectors.joining("&"))
                .getBytes(UTF_8);
    }

    private static String sign(String content, KeyPair signer) {
        try {
            return AlipaySignature.rsaSign(content, text(signer.getPrivate()), "UTF-8", "RSA2");
        } catch (AlipayApiException e) {
            throw new IllegalStateException(e);
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        Map<String, String> fields = new HashMap<>();
        String query = exchange.getRequestURI().getRawQuery();
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        for (String field : (query + "&" + body).split("&", -1)) {
            int end = field.indexOf('=');
            fields.put(field.substring(0, end), URLDecoder.decode(field.substring(end + 1), UTF_8));
        }
        if (mood == Mood.BROKEN) {
            exchange.sendResponseHeaders(502, -1);
            exchange.close();
            return;
        }
        String method = fields.getOrDefault("method", "");
        String content = isSigned(fields)
                ? answer(method, fields)
                : "{\"code\":\"40002\",\"sub_code\":\"isv.invalid-signature\"}";
        byte[] answer = "{\"%s_response\":%s,\"sign\":\"%s\"}"
                .formatted(method.replace('.', '_'), content, sign(content, mood == Mood.FORGED ? stranger : alipay))
                .getBytes(UTF_8);
        exchange.sendResponseHeaders(200, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }

    private boolean isSigned(Map<String, String> fields) {
        try {
            return APP_ID.equals(fields.get("app_id"))
                    && AlipaySignature.rsaCheckV2(new HashMap<>(fields), text(app.getPublic()), "UTF-8", "RSA2");
        } catch (AlipayApiException e) {
            return false;
        }
    }

    private String answer(String method, Map<String, String> fields) {
        JsonNode content = JSON.readTree(fields.get("biz_content"));
        String number = content.path("out_trade_no").asString("");
        return switch (method) {
            case "alipay.trade.precreate" -> {
                if (content.path("subject").asString().matches(".*[/=&].*")) {
                    yield refused("ACQ.INVALID_PARAMETER");
                }
                lastOrder = content;
                amounts.put(number, content.path("total_amount").asString());
                yield done().put("out_trade_no", number)
                        .put("qr_code", "https://qr.alipay.com/" + number)
                        .toString();
            }
            case "alipay.trade.query" -> query(number);
            case "alipay.trade.close" -> close(number);
            case "alipay.trade.refund" -> refund(content);
            case "alipay.trade.fastpay.refund.query" ->
                done().put("refund_status", isRefunded(content) ? "REFUND_SUCCESS" : "")
                        .toString();
            default -> refused("ACQ.INVALID_PARAMETER");
        };
    }

    private String query(String number) {
        GatewayTrade trade = trades.get(number);
        if (trade == null) {
            return refused("ACQ.TRADE_NOT_EXIST");
        }
        return done().put("out_trade_no", number)
                .put("trade_no", trade.tradeNo)
                .put("trade_status", trade.status)
                .put("total_amount", trade.amount)
                .put("send_pay_date", "2026-11-30 12:00:00")
                .toString();
    }

    private String close(String number) {
        return trades.containsKey(number) ? refused("ACQ.TRADE_STATUS_ERROR") : refused("ACQ.TRADE_NOT_EXIST");
    }

    private String refund(JsonNode content) {
        if (mood == Mood.POOR) {
            return refused("ACQ.SELLER_BALANCE_NOT_ENOUGH");
        }
        GatewayTrade trade = trades.values().stream()
                .filter(each -> each.tradeNo.equals(content.path("trade_no").asString()))
                .findFirst()
                .orElseThrow();
        String refundNo = content.path("out_request_no").asString();
        boolean isNew = trade.refundNo == null;
        trade.refundNo = refundNo;
        trade.status = "TRADE_CLOSED";
        return done().put("fund_change", isNew ? "Y" : "N").toString();
    }

    private boolean isRefunded(JsonNode content) {
        return trades.values().stream()
                .anyMatch(each -> each.tradeNo.equals(content.path("trade_no").asString())
                        && content.path("out_request_no").asString().equals(each.refundNo));
    }

    private static ObjectNode done() {
        return JSON.createObjectNode().put("code", "10000").put("msg", "Success");
    }

    private static String refused(String why) {
        return JSON.createObjectNode()
                .put("code", "40004")
                .put("msg", "Business Failed")
                .put("sub_code", why)
                .put("sub_msg", "refused")
                .toString();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
