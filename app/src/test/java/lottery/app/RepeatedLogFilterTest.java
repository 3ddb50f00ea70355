package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.apache.kafka.clients.NetworkClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;

@DisplayName("Repeated lines of clients in the log")
class RepeatedLogFilterTest {

    private static final String FORMAT =
            "[Consumer clientId=%d, groupId=lottery-draws] Connection to node {} failed: {}";

    private final RepeatedLogFilter filter = new RepeatedLogFilter();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        of(NetworkClient.class).addAppender(log);
        of(KafkaMessageListenerContainer.class).addAppender(log);
        of(RepeatedLogFilterTest.class).addAppender(log);
        filter.afterPropertiesSet();
    }

    @AfterEach
    void ignore() {
        filter.destroy();
        of(NetworkClient.class).detachAppender(log);
        of(KafkaMessageListenerContainer.class).detachAppender(log);
        of(RepeatedLogFilterTest.class).detachAppender(log);
    }

    private static Logger of(Class<?> type) {
        return (Logger) LoggerFactory.getLogger(type);
    }

    private List<String> lines() {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    @DisplayName("Several clients that say the same are heard once, and whoever says something else is heard, too.")
    void once() {
        for (int client = 0; client < 10; client++) {
            of(NetworkClient.class).warn(FORMAT.formatted(client), 1, "wrong password");
        }
        of(NetworkClient.class).error(FORMAT.formatted(0), 1, "no broker");
        assertThat(lines())
                .containsExactly(
                        "[Consumer clientId=0, groupId=lottery-draws] Connection to node 1 failed: wrong password",
                        "[Consumer clientId=0, groupId=lottery-draws] Connection to node 1 failed: no broker");
    }

    @Test
    @DisplayName("Another cause behind the same words is heard.")
    void causes() {
        for (String cause : List.of("no broker", "no broker", "no right")) {
            of(NetworkClient.class).warn("It failed", new CompletionException(new IllegalStateException(cause)));
        }
        assertThat(lines()).containsExactly("It failed", "It failed");
    }

    @Test
    @DisplayName("All errors of consumers are heard, except that they are refused and go on trying.")
    void errorsOfConsumers() {
        RuntimeException failure = new IllegalStateException("no broker");
        for (int consumer = 0; consumer < 2; consumer++) {
            of(KafkaMessageListenerContainer.class).error("Fatal consumer exception; stopping container", failure);
            of(KafkaMessageListenerContainer.class)
                    .error("Authentication/Authorization Exception, retrying in 5000 ms", failure);
        }
        assertThat(lines())
                .containsExactly(
                        "Fatal consumer exception; stopping container",
                        "Authentication/Authorization Exception, retrying in 5000 ms",
                        "Fatal consumer exception; stopping container");
    }

    @Test
    @DisplayName("All lines of others are heard.")
    void others() {
        of(RepeatedLogFilterTest.class).warn("again");
        of(RepeatedLogFilterTest.class).warn("again");
        assertThat(lines()).containsExactly("again", "again");
    }
}
