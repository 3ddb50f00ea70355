package lottery.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import lottery.store.trace.TraceId;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.GenericEventMessage;
import org.axonframework.messaging.ResultMessage;
import org.axonframework.messaging.unitofwork.BatchingUnitOfWork;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.kafka.KafkaException;
import org.springframework.kafka.core.KafkaProducerException;

@DisplayName("The messages of a batch")
class BatchPublisherTest {

    private static void nobody(String why) {}

    private final Queue<CompletableFuture<?>> arrivals = new ArrayDeque<>();
    private final List<String> left = new ArrayList<>();
    private final BatchPublisher batchPublisher = new BatchPublisher(
            message -> {
                left.add(message.id());
                return arrivals.remove();
            },
            Duration.ofMillis(200));
    private final BatchingUnitOfWork<EventMessage<?>> batch = new BatchingUnitOfWork<>(
            List.of(GenericEventMessage.asEventMessage("one"), GenericEventMessage.asEventMessage("two")));

    /** Holds messages back until it is told that no more will come. */
    private static final class Company implements AsyncMessagePublisher {

        private final Map<CompletableFuture<Object>, String> here = new LinkedHashMap<>();
        private final List<List<String>> departed = new ArrayList<>();

        @Override
        public CompletableFuture<?> send(OutgoingMessage message) {
            CompletableFuture<Object> arrival = new CompletableFuture<>();
            here.put(arrival, message.id());
            return arrival;
        }

        @Override
        public void flush() {
            departed.add(List.copyOf(here.values()));
            here.keySet().forEach(arrival -> arrival.complete("there"));
            here.clear();
        }
    }

    private static OutgoingMessage message(String key, String id) {
        return new OutgoingMessage("topic", key, id, "type", "source", "subject", Instant.EPOCH, "content");
    }

    private ResultMessage<?> send(String... ids) {
        Queue<String> each = new ArrayDeque<>(List.of(ids));
        return batch.executeWithResult(() -> {
            batchPublisher.send(message("ann", each.remove()), BatchPublisherTest::nobody);
            return null;
        });
    }

    @Test
    @DisplayName("All messages are sent before the first is awaited, and the batch is committed when all have arrived.")
    void joinedAtTheEnd() {
        CompletableFuture<Object> first = new CompletableFuture<>();
        CompletableFuture<Object> second = new CompletableFuture<>();
        arrivals.addAll(List.of(first, second));

        ResultMessage<?> result = batch.executeWithResult(() -> {
            batchPublisher.send(message("ann", "any"), BatchPublisherTest::nobody);
            if (arrivals.isEmpty()) {
                // If the first message had been awaited before this, the second one would never have been sent.
                first.complete("there");
                second.complete("there");
            }
            return null;
        });

        assertThat(result.isExceptional()).isFalse();
        assertThat(arrivals).isEmpty();
    }

    @Test
    @DisplayName("Messages have the trace of their request, and so do the callbacks about a refusal.")
    void traced() {
        List<String> parents = new ArrayList<>();
        List<TraceId> told = new ArrayList<>();
        BatchPublisher tracing = new BatchPublisher(message -> {
            parents.add(message.extensions().getOrDefault("traceparent", "none"));
            return message.id().equals("at-once")
                    ? CompletableFuture.failedFuture(new RecordTooLargeException("too large"))
                    : CompletableFuture.completedFuture("there");
        });
        Consumer<String> refused = _ -> TraceId.current().ifPresent(told::add);
        List<TraceId> requests = List.of(TraceId.fresh(), TraceId.fresh());
        Queue<TraceId> each = new ArrayDeque<>(requests);
        ResultMessage<?> result = batch.executeWithResult(() -> {
            try (var _ = TraceId.open(each.remove())) {
                tracing.send(message("ann", "at-once"), refused);
                tracing.sendInTurn(message("ann", "in-turn"));
            }
            return null;
        });
        assertThat(result.isExceptional()).isFalse();
        assertThat(told).isEqualTo(requests);
        assertThat(parents)
                .containsExactly(
                        requests.get(0).traceparent("at-once"),
                        requests.get(1).traceparent("at-once"),
                        requests.get(0).traceparent("in-turn"),
                        requests.get(1).traceparent("in-turn"));
    }

    @Test
    @DisplayName("The batch fails if a message fails.")
    void oneFails() {
        arrivals.add(CompletableFuture.completedFuture("there"));
        arrivals.add(CompletableFuture.failedFuture(new IllegalStateException("the broker is away")));

        ResultMessage<?> result = send("first", "second");

        assertThat(batch.isRolledBack()).isTrue();
        assertThatThrownBy(result::getPayload).hasRootCauseMessage("the broker is away");
    }

    @Test
    @DisplayName("The batch fails if a message does not arrive in time.")
    void oneIsLate() {
        arrivals.add(CompletableFuture.completedFuture("there"));
        arrivals.add(new CompletableFuture<>());

        ResultMessage<?> result = send("first", "second");

        assertThat(batch.isRolledBack()).isTrue();
        assertThatThrownBy(result::getPayload).hasRootCauseInstanceOf(TimeoutException.class);
    }

    @Test
    @DisplayName("If the client has waited in vain for the broker, it does not wait again for each further event.")
    void awayAtOnce() {
        BatchPublisher throwing = new BatchPublisher(
                message -> {
                    left.add(message.id());
                    throw new KafkaException(
                            "Send failed", new org.apache.kafka.common.errors.TimeoutException("away"));
                },
                Duration.ofMillis(200));
        ResultMessage<?> result = batch.executeWithResult(() -> {
            throwing.send(message("ann", "any"), BatchPublisherTest::nobody);
            return null;
        });
        assertThat(left).hasSize(1);
        assertThat(batch.isRolledBack()).isTrue();
        assertThatThrownBy(result::getPayload).hasRootCauseMessage("away");
    }

    @Nested
    @DisplayName("Messages with a callback")
    class WithCallback {

        private final List<String> told = new ArrayList<>();

        private ResultMessage<?> sendTelling() {
            return batch.executeWithResult(() -> {
                if (!arrivals.isEmpty()) {
                    batchPublisher.send(message("ann", "any"), told::add);
                }
                return null;
            });
        }

        @Test
        @DisplayName("The callback is told only about a message that the broker will never take, which fails no other.")
        void refusedForGood() {
            arrivals.add(CompletableFuture.failedFuture(new KafkaProducerException(
                    new ProducerRecord<>("topic", "message"),
                    "Failed to send",
                    new RecordTooLargeException("too large"))));
            arrivals.add(CompletableFuture.completedFuture("there"));
            assertThat(sendTelling().isExceptional()).isFalse();
            assertThat(told).singleElement().asString().contains("too large");
        }

        @Test
        @DisplayName("The callback is told about a refusal that the client throws.")
        void refusedAtOnce() {
            List<String> reasons = new ArrayList<>();
            BatchPublisher throwing = new BatchPublisher(
                    message -> {
                        throw new KafkaException("Send failed", new RecordTooLargeException("too large"));
                    },
                    Duration.ofMillis(200));
            ResultMessage<?> result = batch.executeWithResult(() -> {
                throwing.send(message("ann", "any"), reasons::add);
                return null;
            });
            assertThat(result.isExceptional()).isFalse();
            assertThat(reasons).isNotEmpty().allMatch(why -> why.contains("too large"));
        }

        @Test
        @DisplayName("While the broker is away the batch fails, and no callback is told.")
        void outage() {
            arrivals.add(CompletableFuture.completedFuture("there"));
            arrivals.add(CompletableFuture.failedFuture(new org.apache.kafka.common.errors.TimeoutException("away")));
            assertThat(sendTelling().isExceptional()).isTrue();
            assertThat(told).isEmpty();
        }
    }

    @Nested
    @DisplayName("Messages that are sent in turn")
    class InTurn {

        /** The first message of the batch sets it, so that it is done once. */
        private final AtomicBoolean told = new AtomicBoolean();

        private ResultMessage<?> sendInTurn(OutgoingMessage... messages) {
            return batch.executeWithResult(() -> {
                if (told.compareAndSet(false, true)) {
                    List.of(messages).forEach(batchPublisher::sendInTurn);
                }
                return null;
            });
        }

        @Test
        @DisplayName("The first message of each key is sent at the end of the batch, the next one after its arrival.")
        void waves() {
            CompletableFuture<Object> first = new CompletableFuture<>();
            arrivals.add(first);
            arrivals.add(CompletableFuture.completedFuture("there"));
            arrivals.add(CompletableFuture.completedFuture("there"));
            BatchPublisher waiting = new BatchPublisher(
                    message -> {
                        left.add(message.id());
                        if (message.id().equals("bob-1")) {
                            first.complete("there");
                        }
                        return arrivals.remove();
                    },
                    Duration.ofMillis(200));

            ResultMessage<?> result = batch.executeWithResult(() -> {
                if (told.compareAndSet(false, true)) {
                    waiting.sendInTurn(message("ann", "ann-1"));
                    waiting.sendInTurn(message("ann", "ann-2"));
                    waiting.sendInTurn(message("bob", "bob-1"));
                }
                assertThat(left).isEmpty();
                return null;
            });

            assertThat(result.isExceptional()).isFalse();
            assertThat(left).containsExactly("ann-1", "bob-1", "ann-2");
        }

        @Test
        @DisplayName("If the client throws, earlier messages are awaited, and later ones are not sent.")
        void thrown() {
            CompletableFuture<Object> late = new CompletableFuture<>();
            BatchPublisher throwing = new BatchPublisher(
                    message -> {
                        left.add(message.id());
                        if (message.key().equals("bob")) {
                            throw new KafkaException("Send failed", new RecordTooLargeException("too large"));
                        }
                        return late.completeOnTimeout("there", 50, TimeUnit.MILLISECONDS);
                    },
                    Duration.ofSeconds(5));

            ResultMessage<?> result = batch.executeWithResult(() -> {
                if (told.compareAndSet(false, true)) {
                    throwing.sendInTurn(message("ann", "ann-1"));
                    throwing.sendInTurn(message("bob", "bob-1"));
                    throwing.sendInTurn(message("cat", "cat-1"));
                }
                return null;
            });

            assertThatThrownBy(result::getPayload).hasRootCauseMessage("too large");
            assertThat(late).isDone();
            assertThat(left).containsExactly("ann-1", "bob-1");
        }

        @Test
        @DisplayName("No round waits for further messages that will not come.")
        void depart() {
            Company company = new Company();
            BatchPublisher gathering = new BatchPublisher(company, Duration.ofMillis(200));

            ResultMessage<?> result = batch.executeWithResult(() -> {
                gathering.send(message("ann", "any"), BatchPublisherTest::nobody);
                if (told.compareAndSet(false, true)) {
                    gathering.sendInTurn(message("ann", "ann-1"));
                    gathering.sendInTurn(message("ann", "ann-2"));
                    gathering.sendInTurn(message("bob", "bob-1"));
                }
                return null;
            });

            assertThat(result.isExceptional()).isFalse();
            assertThat(company.departed).containsExactly(List.of("any", "any", "ann-1", "bob-1"), List.of("ann-2"));
        }

        @Test
        @DisplayName("A message is not sent if the one before it failed: nobody sees the later one alone.")
        void notAfterFailure() {
            arrivals.add(CompletableFuture.failedFuture(new IllegalStateException("too large")));
            arrivals.add(CompletableFuture.completedFuture("there"));

            ResultMessage<?> result = sendInTurn(message("ann", "ann-1"), message("ann", "ann-2"));

            assertThatThrownBy(result::getPayload).hasRootCauseMessage("too large");
            assertThat(left).containsExactly("ann-1");
        }

        @Test
        @DisplayName("A message is not sent after the batch was given up, even if the one before it arrives late.")
        void notAfterTheEnd() {
            CompletableFuture<Object> late = new CompletableFuture<>();
            arrivals.add(late);
            arrivals.add(CompletableFuture.completedFuture("there"));

            ResultMessage<?> result = sendInTurn(message("ann", "ann-1"), message("ann", "ann-2"));
            late.complete("there");

            assertThatThrownBy(result::getPayload).hasRootCauseInstanceOf(TimeoutException.class);
            assertThat(left).containsExactly("ann-1");
        }
    }
}
