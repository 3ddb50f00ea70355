package lottery.fulfilment.coupon;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import lottery.api.award.AwardCommand;
import lottery.api.award.AwardCommand.GrantAward;
import lottery.api.award.AwardCommand.RejectGrant;
import lottery.api.award.AwardRecordId;
import lottery.api.strategy.AwardType;
import lottery.messaging.KafkaTopics;
import lottery.messaging.UnreadableMessageException;
import lottery.messaging.invoice.AwardProgressLogReader;
import lottery.messaging.invoice.AwardResultCommandSender;
import lottery.messaging.invoice.Invoice;
import lottery.store.trace.TraceId;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/**
 * Hands over COUPON awards by a call to the webhook that the award names. If the webhook gives no clear answer, the
 * invoice is not answered. The grant saga then sends another invoice, which has the same key for the webhook.
 *
 * <p>All invoices of a poll are handled at the same time, each for a short time only. So a webhook that hangs delays
 * the others by seconds at most; after some calls its host is not called for a while. The offsets of a poll are
 * committed together. After a crash, all invoices of the poll are handled again, with the same keys.
 *
 * <p>This consumer does not use {@link lottery.messaging.KeyedBatchProcessor}. There, a failed message would be retried
 * while other messages wait. Here, a call that hangs is interrupted when the time of the poll is over, and its message
 * does not fail.
 */
@Component
@ConditionalOnBooleanProperty(
        name = {"lottery.fulfilment.enabled", "lottery.fulfilment.coupon.enabled"},
        matchIfMissing = true)
final class CouponWebhookConsumer implements DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(CouponWebhookConsumer.class);

    private static final String GROUP = "lottery-fulfilment-coupon";

    /**
     * How long the messages of one poll are handled. This is longer than a coupon takes with look-up, call and answer,
     * and far shorter than the broker's limit between two polls.
     */
    private static final Duration BATCH_MAX = Duration.ofSeconds(30);

    /**
     * The most records per poll. With more records, more calls to a slow host would get no permit in time, and their
     * awards would have to wait for their next invoices.
     */
    private static final String CALLS_PER_POLL = ConsumerConfig.MAX_POLL_RECORDS_CONFIG + "=50";

    private static final String URL = "url";

    private final CouponSettings settings;
    private final WebhookClient calls;
    private final AwardProgressLogReader history;
    private final AwardResultCommandSender resultSender;
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("coupon-", 0).factory());

    CouponWebhookConsumer(
            CouponSettings settings,
            WebhookClient calls,
            AwardProgressLogReader history,
            AwardResultCommandSender resultSender) {
        this.settings = settings;
        this.calls = calls;
        this.history = history;
        this.resultSender = resultSender;
        if (!settings.isServed()) {
            LOG.info(
                    "Other systems have to hand over COUPON awards, because lottery.fulfilment.coupon.secret is not set.");
        }
    }

    public boolean isServed() {
        return settings.isServed();
    }

    @KafkaListener(
            topics = KafkaTopics.INVOICE,
            groupId = GROUP,
            batch = "true",
            autoStartup = "#{__listener.isServed()}",
            properties = CALLS_PER_POLL)
    void on(List<ConsumerRecord<String, byte[]>> messages) throws InterruptedException {
        List<Future<?>> underWay = new ArrayList<>();
        for (ConsumerRecord<String, byte[]> message : messages) {
            read(message).ifPresent(invoice -> underWay.add(threads.submit(() -> handOver(invoice))));
        }
        await(underWay);
    }

    private static void await(List<Future<?>> underWay) throws InterruptedException {
        long endNanos = System.nanoTime() + BATCH_MAX.toNanos();
        try {
            for (Future<?> each : underWay) {
                each.get(Math.max(0, endNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("the call for a coupon failed in an unexpected way", e);
        } catch (TimeoutException e) {
            LOG.warn(
                    "Webhooks for coupons took longer than {} s together. Sagas send the unanswered invoices again.",
                    BATCH_MAX.toSeconds());
        } finally {
            underWay.forEach(each -> each.cancel(true));
        }
    }

    private void handOver(Invoice invoice) {
        try (var _ = TraceId.open(invoice.trace())) {
            ask(invoice);
        }
    }

    private void ask(Invoice invoice) {
        String record = invoice.awardRecordId().text();
        try {
            @Nullable String url = invoice.content().get(URL);
            // An award without a webhook is handed over by another system.
            if (url != null && history.isAwaited(invoice)) {
                answer(invoice, calls.ask(AllowedWebhookUrl.of(url, settings), CouponRequest.of(invoice)));
            }
        } catch (AllowedWebhookUrl.ForbiddenUrlException e) {
            LOG.warn(
                    "The webhook for {} was not called: {}. Correct the award's url or lottery.fulfilment.coupon.hosts.",
                    record,
                    e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            LOG.warn("The call of the webhook for {} was interrupted. Its saga sends the invoice again.", record);
        } catch (RuntimeException e) {
            LOG.warn("The coupon for {} failed: {}. Its saga sends the invoice again.", record, e.toString());
        }
    }

    /** Reads a message for coupons. Unreadable messages become dead letters in the consumer of all invoices. */
    private static Optional<Invoice> read(ConsumerRecord<String, byte[]> message) {
        if (Invoice.isForOthers(message, AwardType.COUPON)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Invoice.received(message)).filter(invoice -> invoice.type() == AwardType.COUPON);
        } catch (UnreadableMessageException putAsideElsewhere) {
            return Optional.empty();
        }
    }

    private void answer(Invoice invoice, CouponWebhookAnswer verdict) {
        AwardRecordId id = invoice.awardRecordId();
        String own = "coupon:" + id.key();
        switch (verdict) {
            case CouponWebhookAnswer.CouponGranted granted ->
                tell(invoice, new GrantAward(id, Objects.requireNonNullElse(granted.reference(), own)));
            case CouponWebhookAnswer.CouponRejected rejected ->
                tell(invoice, new RejectGrant(id, own, rejected.reason()));
            case CouponWebhookAnswer.AnswerUnclear unclear ->
                LOG.warn(
                        "The webhook for {} gave no clear answer: {}. Its saga sends the invoice again.",
                        id.text(),
                        unclear.why());
        }
    }

    private void tell(Invoice invoice, AwardCommand answer) {
        resultSender.report(List.of(invoice.commandMessage(answer)));
    }

    @Override
    public void destroy() {
        threads.shutdownNow();
    }
}
