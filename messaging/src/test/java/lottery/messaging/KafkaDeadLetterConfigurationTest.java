package lottery.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.stream.Stream;
import lottery.store.processing.FailureClassifier;
import lottery.store.processing.OutageClassifier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.axonframework.common.lock.LockAcquisitionFailedException;
import org.axonframework.eventsourcing.eventstore.EventStoreException;
import org.axonframework.modelling.command.ConcurrencyException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.kafka.listener.ListenerExecutionFailedException;
import org.springframework.test.context.TestConstructor;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;
import org.springframework.transaction.CannotCreateTransactionException;

@SpringJUnitConfig(KafkaDeadLetterConfigurationTest.OutageBeans.class)
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@DisplayName("The cause of a dead letter")
class KafkaDeadLetterConfigurationTest {

    @Configuration(proxyBeanMethods = false)
    @Import(FailureClassifier.class)
    static class OutageBeans {

        @Bean
        OutageClassifier brokerOutages() {
            return new KafkaDeadLetterConfiguration().brokerOutages();
        }
    }

    private final FailureClassifier failureClassifier;

    KafkaDeadLetterConfigurationTest(FailureClassifier failureClassifier) {
        this.failureClassifier = failureClassifier;
    }

    @Test
    @DisplayName("The cause is the fault of the message, without the exceptions of the framework.")
    void cause() {
        assertThat(KafkaDeadLetterConfiguration.causeOf(new ListenerExecutionFailedException(
                        "listener failed", new UnreadableMessageException("there is no content"))))
                .isEqualTo("there is no content");
    }

    @Test
    @DisplayName("The cause is one line of limited length, whatever a stranger wrote.")
    void bounded() {
        assertThat(KafkaDeadLetterConfiguration.causeOf(new UnreadableMessageException("a\r\nb" + "c".repeat(1_000))))
                .startsWith("a  bc")
                .hasSize(300);
    }

    @Test
    @DisplayName("The cause names the failure if the message was not at fault.")
    void failure() {
        assertThat(KafkaDeadLetterConfiguration.causeOf(new IllegalStateException("no database")))
                .isEqualTo("java.lang.IllegalStateException: no database");
    }

    @Test
    @DisplayName("An outage is recognised however deep it is nested, and makes no dead letters.")
    void outage() {
        RuntimeException away = new IllegalStateException(
                "not taken", new CannotCreateTransactionException("no connection", new SQLException("refused")));
        assertThat(failureClassifier.isOutage(new ListenerExecutionFailedException("listener failed", away)))
                .isTrue();
        assertThat(failureClassifier.isOutage(new IllegalStateException("a bug")))
                .isFalse();
        assertThat(failureClassifier.isOutage(null)).isFalse();
    }

    @ParameterizedTest
    @MethodSource
    @DisplayName("All outages that an event processor waits for are outages here too.")
    void outageAsElsewhere(Exception passes) {
        assertThat(failureClassifier.isOutage(new IllegalStateException("not taken", passes)))
                .isTrue();
    }

    private static Stream<Exception> outageAsElsewhere() {
        return Stream.of(
                new ConcurrencyException("somebody was faster"),
                new LockAcquisitionFailedException("somebody holds it"),
                new java.util.concurrent.TimeoutException("no answer"),
                new TimeoutException("no answer of the broker"),
                new TopicAuthorizationException("lottery_fulfilment"),
                new SQLException("the server stops", "57P01"));
    }

    @Test
    @DisplayName("A refusal by the database is no outage, so that it is not retried without end.")
    void refusedByTheDatabase() {
        assertThat(failureClassifier.isOutage(
                        new EventStoreException("it cannot be stored", new SQLException("", "22P05"))))
                .isFalse();
        assertThat(failureClassifier.isOutage(new DataIntegrityViolationException("a constraint")))
                .isFalse();
    }

    @Test
    @DisplayName(
            "A broker that is away or refuses access is an outage, so is a closed producer, and a large message is none.")
    void outageOfTheBroker() {
        OutageClassifier broker = new KafkaDeadLetterConfiguration().brokerOutages();
        assertThat(broker.isOutage(new TimeoutException("no answer"))).isTrue();
        assertThat(broker.isOutage(new TopicAuthorizationException("lottery_events")))
                .isTrue();
        assertThat(broker.isOutage(new SaslAuthenticationException("who is that")))
                .isTrue();
        assertThat(broker.isOutage(new KafkaException("Producer closed while send in progress")))
                .isTrue();
        assertThat(broker.isOutage(new SerializationException("no bytes"))).isFalse();
        assertThat(broker.isOutage(new RecordTooLargeException("5 MB"))).isFalse();
    }
}
