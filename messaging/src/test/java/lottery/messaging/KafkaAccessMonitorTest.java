package lottery.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

@DisplayName("The access of this process to Kafka")
class KafkaAccessMonitorTest {

    private static final String REFUSED = "Kafka refuses this process: "
            + "org.apache.kafka.common.errors.SaslAuthenticationException: wrong password."
            + " It tries again. Check its password, its certificate and its rights.";
    private static final String IN = "Kafka lets this process in.";

    private final AtomicLong nanos = new AtomicLong();
    private final KafkaAccessMonitor access = new KafkaAccessMonitor(nanos::get);
    private final KafkaAccessMonitor.MonitoredClient consumer = access.consumer();
    private final KafkaAccessMonitor.MonitoredClient other = access.consumer();
    private final KafkaAccessMonitor.MonitoredClient producer = access.producer();
    private final Logger logger = (Logger) LoggerFactory.getLogger(KafkaAccessMonitor.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void ignore() {
        logger.detachAppender(log);
    }

    private List<String> lines() {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private static RuntimeException refusal() {
        return new CompletionException(new SaslAuthenticationException("wrong password"));
    }

    @Test
    @DisplayName("A refusal of several clients is logged once, with its cause.")
    void once() {
        for (int i = 0; i < 10; i++) {
            assertThat(consumer.failed(refusal())).isTrue();
            assertThat(producer.failed(refusal())).isTrue();
        }
        assertThat(lines()).containsExactly(REFUSED);
    }

    @Test
    @DisplayName("The process counts as let in when its last client is, and not by the polls between two logins.")
    void letIn() {
        var _ = consumer.failed(refusal());
        var _ = other.failed(refusal());
        poll(consumer, 4);
        var _ = consumer.failed(refusal());
        poll(consumer, 5);
        poll(other, 4);
        assertThat(lines()).containsExactly(REFUSED);
        poll(other, 1);
        assertThat(lines()).containsExactly(REFUSED, IN);
    }

    private static void poll(KafkaAccessMonitor.MonitoredClient consumer, int times) {
        for (int i = 0; i < times; i++) {
            consumer.answered();
        }
    }

    @Test
    @DisplayName(
            "Nobody waits for a producer that has nothing to send, but its own refusal ends with its next message.")
    void producers() {
        var _ = producer.failed(refusal());
        var _ = consumer.failed(refusal());
        poll(consumer, 5);
        assertThat(lines()).containsExactly(REFUSED, IN);
        nanos.set(Duration.ofMinutes(1).toNanos());
        var _ = producer.failed(refusal());
        poll(consumer, 5);
        assertThat(lines()).containsExactly(REFUSED, IN, REFUSED);
        producer.answered();
        assertThat(lines()).containsExactly(REFUSED, IN, REFUSED, IN);
    }

    @Test
    @DisplayName("A later refusal is logged again, but not every second.")
    void again() {
        for (int second = 0; second <= 60; second++) {
            nanos.set(Duration.ofSeconds(second).toNanos());
            var _ = producer.failed(refusal());
            producer.answered();
        }
        assertThat(lines()).containsExactly(REFUSED, IN, REFUSED, IN);
    }

    @Test
    @DisplayName("After many causes no new ones are logged, but those that are known.")
    void manyCauses() {
        for (int i = 0; i < 60; i++) {
            assertThat(producer.failed(new SaslAuthenticationException("cause " + i)))
                    .isTrue();
        }
        assertThat(lines()).hasSize(50);
        nanos.set(Duration.ofMinutes(1).toNanos());
        assertThat(producer.failed(new SaslAuthenticationException("cause 0"))).isTrue();
        assertThat(producer.failed(new SaslAuthenticationException("cause 59"))).isTrue();
        assertThat(lines()).hasSize(51).last().asString().contains(": cause 0. ");
    }

    @Test
    @DisplayName("A client that is closed says nothing about the others.")
    void closed() {
        var _ = consumer.failed(refusal());
        consumer.closed();
        assertThat(lines()).containsExactly(REFUSED);
        producer.answered();
        assertThat(lines()).containsExactly(REFUSED, IN);
    }

    @Test
    @DisplayName("Other failures are no refusals.")
    void others() {
        assertThat(producer.failed(new TimeoutException("the broker is away"))).isFalse();
        assertThat(producer.failed(null)).isFalse();
        producer.answered();
        assertThat(lines()).isEmpty();
    }
}
