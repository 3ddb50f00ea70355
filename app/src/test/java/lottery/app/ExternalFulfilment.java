package lottery.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A fulfilment system of another party, written by docs/fulfilment.md alone, with odd habits. It hands over each award
 * record that it sees for the first time, and answers all invoices of a record by one habit.
 */
final class ExternalFulfilment implements AutoCloseable {

    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration LATE_MIN = Duration.ofMillis(300);
    private static final Duration LATE_MAX = Duration.ofSeconds(4);
    private static final Duration END_MAX = Duration.ofSeconds(20);
    private static final int LONG = 900_000;

    /** A way to answer the invoices of an award record. */
    enum Habit {
        AT_ONCE,
        TWICE,
        /** Says first that the award is granted, and then that it is not. */
        CONTRADICTS,
        REJECTS,
        /** Sends something that makes no sense first. */
        RUBBISH,
        /** Answers late, and not in the order of the invoices. */
        LATE,
        /** Answers only when it is told to speak. */
        SILENT,
        /** Ignores the first invoice, as if it had never come. */
        NOT_THE_FIRST;

        /** Returns whether the first answer grants, because only the first one counts. */
        boolean isGranting() {
            return this != REJECTS;
        }
    }

    /** The habits of a receiver that always does what it should. */
    static final List<Habit> DECENT = List.of(Habit.AT_ONCE);

    private record ReceivedInvoice(String awardRecordId, int attempt) {}

    private record DelayedAnswer(ReceivedInvoice invoice, Instant at) implements Delayed {

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(Duration.between(Instant.now(), at));
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.MILLISECONDS), other.getDelay(TimeUnit.MILLISECONDS));
        }
    }

    /** Longer than the longest outage of a trial, so that no answer is lost. */
    private static final Duration DELIVERY_MAX = Duration.ofHours(1);

    private final List<Habit> habits;
    private final Random random;
    private final KafkaConsumer<String, byte[]> invoices;
    private final KafkaProducer<String, byte[]> answers;
    private final Thread thread = Thread.ofPlatform().name("receiver").unstarted(this::run);
    private final Map<String, Habit> handedOver = new ConcurrentHashMap<>();
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final Queue<ReceivedInvoice> unspoken = new ConcurrentLinkedQueue<>();
    private final DelayQueue<DelayedAnswer> late = new DelayQueue<>();
    private final Queue<String> rubbish = new ConcurrentLinkedQueue<>();
    private final AtomicInteger repeated = new AtomicInteger();
    private final AtomicInteger numbers = new AtomicInteger();

    private volatile boolean speaks;
    private volatile boolean ends;
    private volatile @Nullable Throwable failure;

    private ExternalFulfilment(String servers, String group, List<Habit> habits, long seed) {
        this.habits = List.copyOf(habits);
        this.random = new Random(seed);
        this.invoices = new KafkaConsumer<>(
                settings(servers, Map.of("group.id", group, "auto.offset.reset", "earliest")),
                new StringDeserializer(),
                new ByteArrayDeserializer());
        this.answers = new KafkaProducer<>(
                settings(servers, Map.of("acks", "all", "delivery.timeout.ms", Long.toString(DELIVERY_MAX.toMillis()))),
                new StringSerializer(),
                new ByteArraySerializer());
    }

    static ExternalFulfilment open(String servers, String group, List<Habit> habits, long seed) {
        ExternalFulfilment receiver = new ExternalFulfilment(servers, group, habits, seed);
        receiver.thread.start();
        return receiver;
    }

    static Properties settings(String servers, Map<String, String> more) {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", servers);
        settings.putAll(more);
        return settings;
    }

    /** Returns the habits by which award records were answered, by award record. */
    Map<String, Habit> handedOver() {
        return Map.copyOf(handedOver);
    }

    /** Returns the header {@code number} of every message that made no sense. */
    List<String> rubbish() {
        return List.copyOf(rubbish);
    }

    /** Returns how many invoices came again. */
    int repeated() {
        return repeated.get();
    }

    /** Answers every invoice from now on. */
    void speak() {
        speaks = true;
    }

    @Nullable
    Throwable failure() {
        return failure;
    }

    private void run() {
        try {
            invoices.subscribe(List.of("lottery_invoice"));
            while (!ends) {
                for (ConsumerRecord<String, byte[]> message : invoices.poll(POLL)) {
                    read(message);
                }
                sayWhatIsLate();
                answers.flush();
                // The receiver has remembered what it handed over by now. If it forgot, it would hand it over again.
                invoices.commitAsync();
            }
        } catch (RuntimeException e) {
            failure = e;
        } finally {
            invoices.close();
        }
    }

    private void read(ConsumerRecord<String, byte[]> message) {
        JsonNode content = JSON.readTree(message.value());
        ReceivedInvoice invoice = new ReceivedInvoice(
                content.path("awardRecordId").asString(),
                content.path("attempt").asInt());
        if (!seen.add(header(message, "ce_id"))) {
            repeated.incrementAndGet();
        }
        Habit habit =
                handedOver.computeIfAbsent(invoice.awardRecordId(), _ -> habits.get(random.nextInt(habits.size())));
        answer(invoice, habit);
    }

    private static String header(ConsumerRecord<?, ?> message, String name) {
        Header header = message.headers().lastHeader(name);
        return new String(header.value(), UTF_8);
    }

    private void answer(ReceivedInvoice invoice, Habit habit) {
        switch (habit) {
            case AT_ONCE -> say(invoice, "GRANTED");
            case TWICE -> {
                say(invoice, "GRANTED");
                say(invoice, "GRANTED");
            }
            case CONTRADICTS -> {
                say(invoice, "GRANTED");
                say(invoice, "REJECTED");
            }
            case REJECTS -> say(invoice, "REJECTED");
            case RUBBISH -> {
                sayRubbish(invoice);
                say(invoice, "GRANTED");
            }
            case LATE ->
                late.add(new DelayedAnswer(
                        invoice, Instant.now().plusMillis(random.nextLong(LATE_MIN.toMillis(), LATE_MAX.toMillis()))));
            case SILENT -> {
                if (speaks) {
                    say(invoice, "GRANTED");
                } else {
                    unspoken.add(invoice);
                }
            }
            case NOT_THE_FIRST -> {
                if (invoice.attempt() > 1) {
                    say(invoice, "GRANTED");
                }
            }
        }
    }

    private void sayWhatIsLate() {
        for (DelayedAnswer due = late.poll(); due != null; due = late.poll()) {
            say(due.invoice(), "GRANTED");
        }
        if (speaks) {
            for (ReceivedInvoice invoice = unspoken.poll(); invoice != null; invoice = unspoken.poll()) {
                say(invoice, "GRANTED");
            }
        }
    }

    private void say(ReceivedInvoice invoice, String result) {
        send(
                invoice,
                "lottery.fulfilment.v1",
                """
                {"awardRecordId": "%s", "result": "%s", "reference": "parcel-%d", "reason": "so it is"}""".formatted(invoice.awardRecordId(), result, invoice.attempt())
                        .getBytes(UTF_8),
                "");
    }

    private void sayRubbish(ReceivedInvoice invoice) {
        String number = "rubbish-" + numbers.incrementAndGet();
        String record = invoice.awardRecordId();
        String valid =
                "{\"awardRecordId\": \"%s\", \"result\": \"REJECTED\", \"reference\": \"%s\"".formatted(record, "x");
        switch (random.nextInt(8)) {
            case 0 -> send(invoice, "lottery.fulfilment.v1", null, number);
            case 1 -> send(invoice, "lottery.fulfilment.v1", valid.getBytes(UTF_8), number);
            case 2 -> send(invoice, "lottery.fulfilment.v2", (valid + "}").getBytes(UTF_8), number);
            case 3 -> send(invoice, "shop.order-shipped.v1", (valid + "}").getBytes(UTF_8), number);
            case 4 -> send(invoice, "lottery.fulfilment.v1", "[]".getBytes(UTF_8), number);
            case 5 ->
                send(
                        invoice,
                        "lottery.fulfilment.v1",
                        (valid + "}").replace("REJECTED", "PERHAPS").getBytes(UTF_8),
                        number);
            case 6 ->
                send(
                        invoice,
                        "lottery.fulfilment.v1",
                        (valid + ", \"reason\": \"%s\"}".formatted("long ".repeat(LONG / 5))).getBytes(UTF_8),
                        number);
            default ->
                send(
                        invoice,
                        "lottery.fulfilment.v1",
                        (valid + "}")
                                .replace(record, "award:00-00000000-0000-7000-8000-000000000000")
                                .getBytes(UTF_8),
                        number);
        }
        rubbish.add(number);
    }

    private void send(ReceivedInvoice invoice, String type, byte @Nullable [] content, String number) {
        ProducerRecord<String, byte[]> message =
                new ProducerRecord<>("lottery_fulfilment", invoice.awardRecordId(), content);
        Map.of(
                        "ce_specversion",
                        "1.0",
                        "ce_id",
                        "receiver-" + numbers.incrementAndGet(),
                        "ce_type",
                        type,
                        "ce_source",
                        "/receiver",
                        "ce_subject",
                        invoice.awardRecordId(),
                        "ce_time",
                        Instant.now().toString(),
                        "content-type",
                        "application/json",
                        "number",
                        number)
                .forEach((name, value) -> message.headers().add(name, value.getBytes(UTF_8)));
        Future<RecordMetadata> _ = answers.send(message, (_, refused) -> {
            if (refused != null) {
                failure = refused;
            }
        });
    }

    @Override
    public void close() {
        ends = true;
        try {
            thread.join(END_MAX);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        answers.close(END_MAX);
    }
}
