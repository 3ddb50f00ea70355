package lottery.saga;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardCommand;
import lottery.api.award.AwardCommand.GrantAward;
import lottery.api.award.AwardCommand.RejectGrant;
import lottery.api.award.AwardRecordId;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.api.strategy.AwardType;
import lottery.messaging.invoice.Invoice;
import lottery.saga.LocalWebhook.ReceivedCall;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.TestConstructor;

@SpringBootTest
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@DisplayName("A COUPON award")
class CouponAwardGrantTest {

    private static final Duration LIMIT = Duration.ofSeconds(40);

    /** Shorter than a coupon waits for a webhook that hangs. */
    private static final Duration TEXT_MAX = Duration.ofSeconds(4);

    private static final int ROUNDS = 3;
    private static final String GROUP = "lottery-fulfilment-coupon";
    private static final ActivityId ACTIVITY = new ActivityId(100);

    private final AwardRecords records;
    private final InvoiceWriter invoices;

    private String test = "";

    CouponAwardGrantTest(AwardRecords records, InvoiceWriter invoices) {
        this.records = records;
        this.invoices = invoices;
    }

    /** Gives each test its own users and paths: all tests share one store, one broker and one webhook. */
    @BeforeEach
    void ownName(TestInfo info) {
        test = info.getTestMethod().orElseThrow().getName();
    }

    private Invoice won(String key, Map<String, String> content) {
        return won(key, AwardType.COUPON, content);
    }

    private Invoice won(String key, AwardType type, Map<String, String> content) {
        UserId user = new UserId("coupon-" + test + "-" + key);
        AwardRecordId id = AwardRecordId.of(
                RaffleRequestIdentity.of(new AccountId(ACTIVITY, user), key).id());
        Invoice invoice = new Invoice(
                id,
                user,
                ACTIVITY,
                new Invoice.InvoicedAward(101, "10 % off, 省"),
                type,
                content,
                new BigDecimal("8.80"),
                1);
        records.keep(invoice);
        return invoice;
    }

    private Invoice sent(String path) {
        Invoice invoice = won(path, Map.of("url", LocalWebhook.url(path), "campaign", "spring"));
        invoices.send(invoice);
        return invoice;
    }

    private List<AwardCommand> told(Invoice invoice) {
        return records.receivedFor(invoice.awardRecordId()).stream()
                .filter(command -> command instanceof GrantAward || command instanceof RejectGrant)
                .distinct()
                .toList();
    }

    private void awaitTold(Invoice invoice, AwardCommand... commands) {
        await(invoice.awardRecordId().text())
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(told(invoice)).containsExactly(commands));
    }

    private static GrantAward grant(Invoice invoice, String reference) {
        return new GrantAward(invoice.awardRecordId(), reference);
    }

    private static String own(Invoice invoice) {
        return "coupon:" + invoice.awardRecordId().key();
    }

    @Nested
    @DisplayName("The call to the webhook")
    class WebhookCall {

        @Test
        @DisplayName("The receiver can verify the signature of the call with a secret of its own.")
        void signedCall() throws Exception {
            String url = LocalWebhook.url("/good/signed?by=é").replace("localhost", "LocalHost");
            Invoice invoice = won("signed", Map.of("url", url, "campaign", "spring"));
            invoices.send(invoice);
            awaitTold(invoice, grant(invoice, "shop-signed"));

            ReceivedCall call = LocalWebhook.calls("/good/signed").getFirst();
            assertThat(call.target()).isEqualTo("/good/signed?by=%C3%A9");
            assertThat(call.headers().getFirst("Idempotency-Key"))
                    .isEqualTo(invoice.awardRecordId().text());
            assertThat(call.headers().getFirst("Content-Type")).isEqualTo("application/json");
            assertThat(call.body())
                    .isEqualTo(("{'awardRecordId':'%s','userId':'%s','activityId':100,"
                                    + "'award':{'awardId':101,'title':'10 %% off, 省'},"
                                    + "'content':{'campaign':'spring','url':'%s'},'amount':'8.80'}")
                            .formatted(
                                    invoice.awardRecordId().text(),
                                    invoice.userId().value(),
                                    url)
                            .replace('\'', '"'));
            String timestamp = call.headers().getFirst("Lottery-Timestamp");
            assertThat(Instant.ofEpochSecond(Long.parseLong(timestamp)))
                    .isBetween(Instant.now().minusSeconds(120), Instant.now().plusSeconds(2));
            assertThat(call.headers().getFirst("Lottery-Signature"))
                    .isEqualTo("v1="
                            + hmac(
                                    hmac(LocalWebhook.SECRET, LocalWebhook.authority()),
                                    String.join(
                                            "\n",
                                            timestamp,
                                            LocalWebhook.authority(),
                                            "/good/signed?by=%C3%A9",
                                            call.body())));
        }

        private static String hmac(String secret, String text) throws Exception {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
            return HexFormat.of().formatHex(mac.doFinal(text.getBytes(UTF_8)));
        }

        @Test
        @DisplayName("A call to a broken webhook is repeated, with the same key and the same body.")
        void brokenOnce() {
            Invoice invoice = sent("/broken-once/a");
            awaitTold(invoice, grant(invoice, "second"));
            List<ReceivedCall> calls = LocalWebhook.calls("/broken-once/a");
            assertThat(calls).hasSize(2);
            assertThat(calls.stream().map(ReceivedCall::body).distinct()).hasSize(1);
            assertThat(calls)
                    .allSatisfy(call -> assertThat(call.headers().getFirst("Idempotency-Key"))
                            .isEqualTo(invoice.awardRecordId().text()));
        }

        @Test
        @DisplayName("If the webhook refuses, the award is rejected with its reason.")
        void no() {
            Invoice invoice = sent("/no/a");
            awaitTold(
                    invoice,
                    new RejectGrant(
                            invoice.awardRecordId(),
                            own(invoice),
                            "the webhook has answered 410: the coupons are gone"));
            assertThat(LocalWebhook.calls("/no/a")).hasSize(1);
        }

        @Test
        @DisplayName("If the webhook sends no usable reference, or too much, the award has the lottery's own.")
        void withoutReference() {
            Invoice odd = sent("/odd/a");
            Invoice huge = sent("/huge/a");
            awaitTold(odd, grant(odd, own(odd)));
            awaitTold(huge, grant(huge, own(huge)));
            assertThat(LocalWebhook.calls("/huge/a")).hasSize(1);
        }

        @Test
        @DisplayName("An award that was handed over is not asked for again, even if all invoices are read again.")
        void replay() {
            Invoice invoice = sent("/good/replayed");
            awaitTold(invoice, grant(invoice, "shop-replayed"));
            invoices.stop(GROUP);
            invoices.startFromTheBeginning(GROUP);
            invoices.awaitAllRead(GROUP);
            assertThat(LocalWebhook.calls("/good/replayed")).hasSize(1);
        }
    }

    @Nested
    @DisplayName("An invoice without an answer")
    class Unanswered {

        @Test
        @DisplayName("While the webhook is broken the invoice is not answered, and a later one is.")
        void broken() {
            Invoice broken = sent("/mended/a");
            await().atMost(LIMIT).until(() -> LocalWebhook.calls("/mended/a").size() == 3);
            invoices.awaitAllRead(GROUP);
            assertThat(told(broken)).isEmpty();

            invoices.send(broken.again());
            awaitTold(broken, grant(broken, "shop-mended"));
        }

        @Test
        @DisplayName(
                "While the webhook handles an earlier call the invoice is not answered: the coupon may be on its way.")
        void underWay() {
            Invoice invoice = sent("/under-way/a");
            await().atMost(LIMIT).until(() -> LocalWebhook.calls("/under-way/a").size() == 3);
            invoices.awaitAllRead(GROUP);
            assertThat(told(invoice)).isEmpty();
        }

        @Test
        @DisplayName("A redirect of the webhook is not followed.")
        void redirected() {
            Invoice invoice = sent("/elsewhere/a");
            await().atMost(LIMIT)
                    .until(() -> !LocalWebhook.calls("/elsewhere/a").isEmpty());
            invoices.awaitAllRead(GROUP);
            assertThat(told(invoice)).isEmpty();
            assertThat(LocalWebhook.calls("/good/by-redirect")).isEmpty();
        }

        @Test
        @DisplayName("An award without a webhook, or with a host that is not allowed, is not answered.")
        void forbidden() {
            Invoice forbidden =
                    won("elsewhere", Map.of("url", LocalWebhook.url("/good/b").replace("localhost", "127.0.0.2")));
            Invoice without = won("without", Map.of());
            invoices.send(forbidden);
            invoices.send(without);
            Invoice refused = won("refused", Map.of("url", "http://" + LocalWebhook.authority() + "0/good/b"));
            invoices.send(refused);
            invoices.awaitAllRead(GROUP);
            assertThat(told(forbidden)).isEmpty();
            assertThat(told(without)).isEmpty();
            assertThat(told(refused)).isEmpty();
            assertThat(LocalWebhook.calls("/good/b")).isEmpty();
        }

        @Test
        @DisplayName("A webhook that hangs delays neither TEXT nor other coupons for long.")
        void hanging() {
            List<Invoice> hanging = new ArrayList<>();
            // A busy machine may need longer for one TEXT than the webhooks hang.
            assertThat(IntStream.range(0, ROUNDS)
                            .anyMatch(round -> textTook(round, hanging).compareTo(TEXT_MAX) < 0))
                    .as("TEXT flows on")
                    .isTrue();
            Invoice good = won("beside", Map.of("url", "http://" + LocalWebhook.otherAuthority() + "/good/beside"));
            invoices.send(good);
            awaitTold(good, grant(good, "shop-beside"));
            invoices.awaitAllRead(GROUP);
            assertThat(hanging).allSatisfy(each -> assertThat(told(each)).isEmpty());
        }

        /** Returns how long a TEXT needs while webhooks hang. */
        private Duration textTook(int round, List<Invoice> hanging) {
            String path = "/hang/" + round + "-";
            String host = "http://" + LocalWebhook.hangingAuthority(round);
            for (int i = 0; i < 30; i++) {
                Invoice invoice = won(path + i, Map.of("url", host + path + i));
                invoices.send(invoice);
                hanging.add(invoice);
            }
            await().atMost(LIMIT).until(() -> LocalWebhook.isCalledBelow(path));
            Invoice text = won("text-" + round, AwardType.TEXT, Map.of("text", "Show this"));
            long sentNanos = System.nanoTime();
            invoices.send(text);
            awaitTold(text, grant(text, "text:" + text.awardRecordId().key()));
            return Duration.ofNanos(System.nanoTime() - sentNanos);
        }
    }
}
