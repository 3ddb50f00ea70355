package lottery.messaging.draw;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.raffle.RaffleOrderId;
import lottery.messaging.CloudEventCodec;
import lottery.messaging.KafkaAccessHealthIndicator;
import lottery.messaging.KafkaTopics;
import lottery.messaging.ProducerLogin;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.support.SendResult;

/**
 * The queue of draws on a Kafka topic. A request is accepted when all in-sync replicas have it. This process also reads
 * the topic, so that it knows all waiting requests and their positions. The topic is the only stored copy of the queue,
 * so there is no other copy that could differ.
 *
 * <p>The queue sends nothing while the broker does not answer. Still, a request may be sent and the queue may not learn
 * whether it was accepted. The caller then sends the request again with the same key, and the request is drawn once.
 */
final class KafkaDrawQueue implements DrawQueue, SmartLifecycle, MeterBinder {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaDrawQueue.class);

    /** The longest wait for the broker's metadata. */
    private static final int BROKER_LOOKUP_MAX_MS = 500;

    /**
     * How long the producer keeps the metadata of a topic that is not used. When many callers come at once later, they
     * should not have to wait for the metadata.
     */
    private static final int TOPIC_KNOWN_MS = (int) Duration.ofDays(7).toMillis();

    /** How often a new producer waits for the metadata. A login may take longer than one wait. */
    private static final int LOGIN_ATTEMPTS = 10;

    private static final int REQUEST_MAX_MS = 1_500;
    private static final int DELIVERY_MAX_MS = 2_000;

    /**
     * How long a request waits for other requests that are sent with it. If many callers come at once, they fill a
     * batch in this time. A single caller hardly notices the wait.
     */
    private static final int COMPANY_MS = 5;

    private static final int BATCH_BYTES = 128 * 1024;

    /** How long to wait for the acceptance of a request: a little longer than the producer's own limit. */
    private static final Duration ACCEPTANCE_MAX = Duration.ofMillis(2_500);

    private final WaitingDraws waiting = new WaitingDraws();
    private final LongAdder accepted = new LongAdder();
    private final LongAdder turnedAway = new LongAdder();
    private final DrawQueueSettings settings;
    private final InstantSource clock;
    private final DefaultKafkaProducerFactory<String, byte[]> producers;
    private final KafkaTemplate<String, byte[]> kafka;
    private final DrawQueueFollower follower;

    KafkaDrawQueue(
            DrawQueueSettings settings,
            InstantSource clock,
            DefaultKafkaProducerFactory<String, byte[]> producers,
            ConsumerFactory<String, byte[]> consumers,
            KafkaAccessHealthIndicator access) {
        this.settings = settings;
        this.clock = clock;
        this.producers = impatient(producers, access);
        this.kafka = new KafkaTemplate<>(this.producers);
        // A failure is returned to the caller and logged here. Spring need not log it a second time with a stack trace.
        kafka.setProducerListener(access.listener());
        // The follower first fetches the metadata of the topic. Otherwise the producer would make the first thousand
        // callers wait for it.
        this.follower =
                new DrawQueueFollower(consumers, waiting, access, () -> kafka.partitionsFor(KafkaTopics.DRAW_REQUESTS));
    }

    /** Returns a factory of producers with short time limits, because callers wait for them. */
    private static DefaultKafkaProducerFactory<String, byte[]> impatient(
            DefaultKafkaProducerFactory<String, byte[]> usual, KafkaAccessHealthIndicator access) {
        var queue = (DefaultKafkaProducerFactory<String, byte[]>) usual.copyWithConfigurationOverride(Map.of(
                ProducerConfig.LINGER_MS_CONFIG,
                COMPANY_MS,
                ProducerConfig.BATCH_SIZE_CONFIG,
                BATCH_BYTES,
                ProducerConfig.MAX_BLOCK_MS_CONFIG,
                BROKER_LOOKUP_MAX_MS,
                ProducerConfig.METADATA_MAX_IDLE_CONFIG,
                TOPIC_KNOWN_MS,
                ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                REQUEST_MAX_MS,
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                DELIVERY_MAX_MS));
        // A process with this queue alone need not have rights on the topics of other senders.
        List.copyOf(queue.getPostProcessors()).forEach(queue::removePostProcessor);
        queue.addPostProcessor(new ProducerLogin<>(KafkaTopics.DRAW_REQUESTS, LOGIN_ATTEMPTS, access));
        return queue;
    }

    @Override
    public DrawQueuePosition accept(QueuedDrawRequest request) {
        if (!follower.isUpToDate()) {
            turnedAway.increment();
            throw notReachable();
        }
        Optional<DrawQueuePosition> before = waiting.find(request.orderId());
        if (before.isPresent()) {
            return repeated(before.get(), request);
        }
        if (waiting.count(request.activityId()) >= settings.waitingMax()
                || waiting.count() >= settings.waitingMaxAll()) {
            turnedAway.increment();
            throw new RefusedException(Refusal.BUSY, request.activityId().text());
        }
        RecordMetadata place = send(request);
        accepted.increment();
        return waiting.placed(request, place.partition(), place.offset(), true);
    }

    private static DrawQueuePosition repeated(DrawQueuePosition before, QueuedDrawRequest request) {
        if (before.request().count() != request.count()) {
            throw new RefusedException(Refusal.KEY_REUSED, request.orderId().text());
        }
        return before;
    }

    private RecordMetadata send(QueuedDrawRequest request) {
        try {
            SendResult<String, byte[]> sent = kafka.send(CloudEventCodec.encode(request.message()))
                    .get(ACCEPTANCE_MAX.toMillis(), TimeUnit.MILLISECONDS);
            return sent.getRecordMetadata();
        } catch (ExecutionException
                | TimeoutException
                | KafkaException
                | org.apache.kafka.common.KafkaException
                | IllegalStateException e) {
            // Spring does not wrap exceptions of the producer itself, for example that it was closed.
            LOG.warn(
                    "It is unknown whether Kafka has stored the request for {}: {}. The caller can repeat it with its key.",
                    request.orderId(),
                    e.toString());
            turnedAway.increment();
            throw new RefusedException(
                    Refusal.ACCEPTANCE_UNKNOWN, request.orderId().text());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RefusedException(
                    Refusal.ACCEPTANCE_UNKNOWN, request.orderId().text());
        }
    }

    private static RefusedException notReachable() {
        return new RefusedException(Refusal.NOT_READY, KafkaTopics.DRAW_REQUESTS);
    }

    @Override
    public boolean isCurrent() {
        return follower.isUpToDate();
    }

    @Override
    public Optional<DrawQueuePosition> seen(RaffleOrderId orderId) {
        return follower.isUpToDate() ? waiting.find(orderId) : Optional.empty();
    }

    @Override
    public Optional<DrawQueuePosition> find(RaffleOrderId orderId) {
        Optional<DrawQueuePosition> known = waiting.find(orderId);
        if (known.isPresent()) {
            return known;
        }
        if (!follower.awaitNewest()) {
            throw notReachable();
        }
        return waiting.find(orderId);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("lottery.queue.waiting", waiting, WaitingDraws::count)
                .description("Requests for draws that wait, in all activities")
                .register(registry);
        Gauge.builder(
                        "lottery.queue.oldest",
                        waiting,
                        draws -> draws.oldest(clock.instant()).toSeconds())
                .baseUnit("seconds")
                .description("For how long the oldest request for a draw has waited")
                .register(registry);
        Gauge.builder(
                        "lottery.queue.stuck",
                        waiting,
                        draws -> draws.stuck(System.nanoTime()).toSeconds())
                .baseUnit("seconds")
                .description("For how long a partition has had requests that wait, and none that was drawn or refused")
                .register(registry);
        Gauge.builder("lottery.queue.pace", waiting, WaitingDraws::pace)
                .description("Requests for draws that are drawn or refused in a second")
                .register(registry);
        Gauge.builder("lottery.queue.reachable", follower, reader -> reader.isUpToDate() ? 1 : 0)
                .description("Whether this process reaches the queue: 1 or 0")
                .register(registry);
        FunctionCounter.builder("lottery.queue.accepted", accepted, LongAdder::sum)
                .description("Requests for draws that this process has accepted into the queue")
                .register(registry);
        FunctionCounter.builder("lottery.queue.turned.away", turnedAway, LongAdder::sum)
                .description("Requests for draws that this process could not accept: the queue is full or away")
                .register(registry);
    }

    @Override
    public void start() {
        follower.start();
    }

    /** Stops after the web server has answered the last request. */
    @Override
    public void stop() {
        follower.stop();
        producers.destroy();
    }

    @Override
    public boolean isRunning() {
        return follower.isRunning();
    }

    /** Starts before the web server accepts the first request, and stops after the last one. */
    @Override
    public int getPhase() {
        return 0;
    }
}
