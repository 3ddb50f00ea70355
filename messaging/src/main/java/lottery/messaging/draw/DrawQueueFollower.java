package lottery.messaging.draw;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import lottery.messaging.KafkaAccessHealthIndicator;
import lottery.messaging.KafkaTopics;
import lottery.messaging.UnreadableMessageException;
import lottery.store.loop.BackgroundLoop;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.core.ConsumerFactory;

/**
 * Reads all waiting requests on a thread of its own, and reads how far the consumers that draw have come. It uses the
 * name of their group only to read the group's offsets, and is assigned no partition of the group.
 *
 * <p>After a failure it starts again with the requests that wait then.
 */
final class DrawQueueFollower {

    private static final Logger LOG = LoggerFactory.getLogger(DrawQueueFollower.class);

    /**
     * The pause between two looks at the offsets while requests wait. More looks would be useless, because the
     * consumers that draw commit their offsets only at this interval.
     */
    private static final Duration LOOK = Duration.ofMillis(500);

    private static final Duration IDLE_LOOK = Duration.ofSeconds(1);

    /** How old the latest look may be. If it is older, the broker counts as unavailable. */
    private static final Duration LOOK_AGE_MAX = Duration.ofSeconds(3);

    /** How old the consumer's knowledge of the topic's partitions may be. */
    private static final Duration PARTITIONS_KNOWN = Duration.ofSeconds(5);

    private static final Duration CALL_MAX = Duration.ofSeconds(2);

    /**
     * The time limit for each call at the beginning. It is long, because each call may need a new connection with TLS
     * and a login, and an attempt that is given up has to connect again. No caller waits for it.
     */
    private static final Duration BEGIN_MAX = Duration.ofSeconds(15);

    private static final Duration PREPARATION_PAUSE = Duration.ofMillis(100);
    private static final Duration NEWEST_WAIT_MAX = Duration.ofSeconds(2);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofMillis(500);

    /**
     * The pause after Kafka has refused access. It avoids frequent failed logins, which may look like an attack. An
     * operator needs longer than this pause anyway to correct the login.
     */
    private static final Duration PAUSE_AFTER_REFUSAL = Duration.ofSeconds(5);

    private static final Duration END_MAX = Duration.ofSeconds(5);
    private static final int RECORDS_PER_POLL_MAX = 2_000;

    private final ConsumerFactory<String, byte[]> consumers;
    private final WaitingDraws waiting;
    private final KafkaAccessHealthIndicator access;
    private final Runnable preparation;
    private final Queue<CompletableFuture<Void>> askers = new ConcurrentLinkedQueue<>();
    private final BackgroundLoop loop = new BackgroundLoop(
            "draw-queue",
            PAUSE_AFTER_FAILURE,
            this::follow,
            "The queue of draws cannot be read: {}. This process refuses queued draws until it can.",
            KafkaException.class::isInstance);

    /** The offsets of the latest look. Only the reading thread uses them. */
    private final Map<TopicPartition, Long> latestEnds = new HashMap<>();

    private volatile @Nullable Consumer<String, byte[]> reader;
    private volatile boolean caughtUp;

    /** Whether Kafka refused access in the latest attempt. Only the reading thread uses it. */
    private boolean isRefused;

    /**
     * Whether the thread waits for new requests. Only then may other threads wake it up, because a wake-up interrupts
     * its current call.
     */
    private volatile boolean isAsleep;

    private volatile long lookedNanos = System.nanoTime() - LOOK_AGE_MAX.toNanos();

    /** @param preparation a further step that has to succeed before this process accepts requests */
    DrawQueueFollower(
            ConsumerFactory<String, byte[]> consumers,
            WaitingDraws waiting,
            KafkaAccessHealthIndicator access,
            Runnable preparation) {
        this.consumers = consumers;
        this.waiting = waiting;
        this.access = access;
        this.preparation = preparation;
    }

    /**
     * Returns true if the broker has answered within the last seconds, and if all requests that waited at the start are
     * known.
     */
    boolean isUpToDate() {
        return caughtUp && System.nanoTime() - lookedNanos < LOOK_AGE_MAX.toNanos();
    }

    /**
     * Waits until this process knows all requests that any process has accepted before this call.
     *
     * @return false if the broker does not answer in time
     */
    boolean awaitNewest() {
        if (!isUpToDate()) {
            return false;
        }
        CompletableFuture<Void> read = new CompletableFuture<>();
        askers.add(read);
        Consumer<String, byte[]> asleep = reader;
        if (asleep != null && isAsleep) {
            asleep.wakeup();
        }
        try {
            read.get(NEWEST_WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("The newest requests for draws could not be read in time.", e);
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    void start() {
        loop.start();
    }

    void stop() {
        Consumer<String, byte[]> asleep = reader;
        if (asleep != null) {
            asleep.wakeup();
        }
        loop.stop(END_MAX);
    }

    boolean isRunning() {
        return loop.isRunning();
    }

    /** Follows the queue until that fails or the loop ends. */
    private void follow() throws InterruptedException {
        if (isRefused) {
            loop.pause(PAUSE_AFTER_REFUSAL);
            isRefused = false;
            if (loop.isStopping()) {
                return;
            }
        }
        try (Consumer<String, byte[]> consumer = consumer()) {
            reader = consumer;
            Set<TopicPartition> partitions = begin(consumer);
            while (!loop.isStopping()) {
                try {
                    round(consumer, partitions);
                } catch (WakeupException asked) {
                    // Another thread has woken this one, because it asks for the newest requests or the process ends.
                }
            }
        } catch (RuntimeException failed) {
            isRefused = KafkaAccessHealthIndicator.isRefusal(failed);
            if (isRefused) {
                access.refused();
            }
            throw failed;
        } finally {
            reader = null;
            caughtUp = false;
        }
    }

    private Consumer<String, byte[]> consumer() {
        Properties own = new Properties();
        own.setProperty(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, Integer.toString(RECORDS_PER_POLL_MAX));
        own.setProperty(ConsumerConfig.METADATA_MAX_AGE_CONFIG, Long.toString(PARTITIONS_KNOWN.toMillis()));
        return consumers.createConsumer(KafkaTopics.DRAW_REQUESTS_GROUP, "draw-queue", null, own);
    }

    /**
     * Begins in each partition with the first request that was neither drawn nor refused, and reads up to the newest
     * one. Returns the partitions.
     */
    private Set<TopicPartition> begin(Consumer<String, byte[]> consumer) {
        Set<TopicPartition> partitions = partitions(consumer, BEGIN_MAX);
        if (partitions.isEmpty()) {
            throw new IllegalStateException("the topic does not exist yet");
        }
        consumer.assign(partitions);
        latestEnds.clear();
        waiting.clear();
        Map<TopicPartition, Long> ended = ended(consumer, partitions);
        ended.forEach((partition, offset) -> {
            waiting.begin(partition.partition(), offset, System.nanoTime());
            consumer.seek(partition, offset);
        });
        readUpTo(consumer, consumer.endOffsets(partitions, BEGIN_MAX));
        prepare();
        lookedNanos = System.nanoTime();
        loop.recovered();
        caughtUp = true;
        return partitions;
    }

    /** Repeats the preparation until it succeeds, because it has a short time limit, and may need a new connection. */
    private void prepare() {
        long endNanos = System.nanoTime() + BEGIN_MAX.toNanos();
        while (true) {
            try {
                preparation.run();
                return;
            } catch (RuntimeException failed) {
                if (!isRunning() || KafkaAccessHealthIndicator.isRefusal(failed) || System.nanoTime() > endNanos) {
                    throw failed;
                }
                LockSupport.parkNanos(PREPARATION_PAUSE.toNanos());
            }
        }
    }

    /** Returns, for each partition, the offset before which all requests were drawn or refused. */
    private static Map<TopicPartition, Long> ended(Consumer<String, byte[]> consumer, Set<TopicPartition> partitions) {
        Map<TopicPartition, @Nullable OffsetAndMetadata> committed =
                new HashMap<>(consumer.committed(partitions, BEGIN_MAX));
        Map<TopicPartition, Long> first = consumer.beginningOffsets(partitions, BEGIN_MAX);
        Map<TopicPartition, Long> ended = new HashMap<>();
        partitions.forEach(partition -> {
            OffsetAndMetadata known = committed.get(partition);
            long begins = first.getOrDefault(partition, 0L);
            ended.put(partition, known == null ? begins : Math.max(begins, known.offset()));
        });
        return ended;
    }

    private void readUpTo(Consumer<String, byte[]> consumer, Map<TopicPartition, Long> ends) {
        long latestNanos = System.nanoTime();
        while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey(), CALL_MAX) < end.getValue())) {
            if (read(consumer, LOOK) > 0) {
                latestNanos = System.nanoTime();
            } else if (System.nanoTime() - latestNanos > END_MAX.toNanos()) {
                throw new IllegalStateException("the requests that wait cannot be read");
            }
        }
    }

    private void round(Consumer<String, byte[]> consumer, Set<TopicPartition> partitions) {
        Duration look = waiting.count() > 0 ? LOOK : IDLE_LOOK;
        long left = look.toNanos() - (System.nanoTime() - lookedNanos);
        if (left <= 0) {
            if (!partitions.equals(partitions(consumer, CALL_MAX))) {
                throw new IllegalStateException("the topic has other partitions");
            }
            if (waiting.count() > 0) {
                lookAtEnded(consumer, partitions);
            } else {
                requireSameTopic(consumer, partitions);
            }
            lookedNanos = System.nanoTime();
            left = look.toNanos();
        }
        isAsleep = true;
        try {
            var _ = read(consumer, askers.isEmpty() ? Duration.ofNanos(left) : Duration.ZERO);
        } finally {
            isAsleep = false;
        }
        answer(consumer, partitions);
    }

    /**
     * Reads how far the consumers that draw have come. This method fails if the consumers' offsets were set back, and
     * the follower then starts again.
     */
    private void lookAtEnded(Consumer<String, byte[]> consumer, Set<TopicPartition> partitions) {
        Map<TopicPartition, @Nullable OffsetAndMetadata> committed =
                new HashMap<>(consumer.committed(partitions, CALL_MAX));
        long nowNanos = System.nanoTime();
        partitions.forEach(partition -> {
            OffsetAndMetadata known = committed.get(partition);
            long offset = known == null ? 0 : known.offset();
            Long before = latestEnds.put(partition, offset);
            if (before != null && offset < before) {
                throw new IllegalStateException("%s was drawn up to %d, and is now to be drawn from %d on"
                        .formatted(partition, before, offset));
            }
            waiting.ended(partition.partition(), offset, nowNanos);
        });
    }

    /**
     * Fails if the topic was deleted and created again, or if the broker does not answer. The end of a new topic is
     * before the offsets that were read. After the failure the follower starts again.
     */
    private static void requireSameTopic(Consumer<String, byte[]> consumer, Set<TopicPartition> partitions) {
        consumer.endOffsets(partitions, CALL_MAX).forEach((partition, end) -> {
            long position = consumer.position(partition, CALL_MAX);
            if (end < position) {
                throw new IllegalStateException(
                        "%s was read up to %d, and ends at %d".formatted(partition, position, end));
            }
        });
    }

    private static Set<TopicPartition> partitions(Consumer<String, byte[]> consumer, Duration max) {
        return consumer.partitionsFor(KafkaTopics.DRAW_REQUESTS, max).stream()
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .collect(Collectors.toUnmodifiableSet());
    }

    private void answer(Consumer<String, byte[]> consumer, Set<TopicPartition> partitions) {
        // Threads that ask later wait for the next look at the end offsets.
        int asking = askers.size();
        if (asking > 0) {
            readUpTo(consumer, consumer.endOffsets(partitions, CALL_MAX));
            for (int i = 0; i < asking; i++) {
                askers.remove().complete(null);
            }
        }
    }

    /** Reads the messages that arrive within this time, and returns how many they were. */
    private int read(Consumer<String, byte[]> consumer, Duration max) {
        ConsumerRecords<String, byte[]> records = consumer.poll(max);
        records.forEach(this::add);
        return records.count();
    }

    /** Adds a request. An unreadable message is ignored here; the consumers that draw make it a dead letter. */
    private void add(ConsumerRecord<String, byte[]> each) {
        try {
            waiting.add(each.partition(), each.offset(), QueuedDrawRequest.read(each), System.nanoTime());
        } catch (UnreadableMessageException e) {
            LOG.debug(
                    "The message {}@{} is no request for a draw: {}. It is not counted as waiting.",
                    each.partition(),
                    each.offset(),
                    e.getMessage());
        }
    }
}
