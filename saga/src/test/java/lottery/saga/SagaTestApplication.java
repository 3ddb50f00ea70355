package lottery.saga;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import lottery.api.EventNames;
import lottery.fulfilment.FulfilmentConfiguration;
import lottery.messaging.AsyncMessagePublisher;
import lottery.messaging.MessagingConfiguration;
import lottery.store.EventTypes;
import lottery.store.axon.NamedNumberSeries;
import lottery.store.vault.PersonVaultConfiguration;
import lottery.store.vault.PersonalTexts;
import lottery.store.vault.SecretCipher;
import org.apache.kafka.clients.admin.NewTopic;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.config.EventProcessingConfiguration;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.context.annotation.Scope;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.web.context.WebApplicationContext;

/** The sagas alone, as the tests of this module start them, with small replacements for the command side. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({
    MessagingConfiguration.class,
    FulfilmentConfiguration.class,
    SagaSideConfiguration.class,
    TopicReader.class,
    Refusals.class,
    PersonVaultConfiguration.class
})
class SagaTestApplication {

    @Bean
    EventTypes eventTypes() {
        return EventTypes.of(EventNames.all(), EventNames::revisionOf);
    }

    @Bean
    TestClock clock() {
        return new TestClock();
    }

    @Bean
    SecureRandom random() {
        return new SecureRandom();
    }

    @Bean
    SecretCipher vault() {
        return SecretCipher.of("LOTTERY_SEEDS", Map.of("k1", Base64.getEncoder().encodeToString(new byte[32])), "k1");
    }

    @Bean
    InvoiceWriter invoicing(AsyncMessagePublisher publisher, KafkaAdmin admin, KafkaListenerEndpointRegistry readers) {
        return new InvoiceWriter(publisher, admin, readers);
    }

    @Bean
    Activities activities(EventStore events) {
        return new Activities(events);
    }

    @Bean
    OpenOrders openOrders(JdbcClient database) {
        return new OpenOrders(database);
    }

    @Bean
    Recharges recharges(EventStore events, TestClock clock) {
        return new Recharges(events, clock);
    }

    @Bean
    Behaviours behaviours(EventStore events) {
        return new Behaviours(events);
    }

    @Bean
    AwardRecords awardRecords(
            EventStore events, CreditAccounts credits, NamedNumberSeries series, PersonalTexts texts) {
        return new AwardRecords(events, credits, series, texts);
    }

    @Bean
    Proposals proposals(EventStore events) {
        return new Proposals(events);
    }

    @Bean
    CreditAccounts creditAccounts() {
        return new CreditAccounts();
    }

    @Bean
    DeskClient desk(
            WebApplicationContext context,
            AwardRecords records,
            CommandGateway commands,
            JdbcClient database,
            KafkaTemplate<String, byte[]> kafka) {
        return new DeskClient(context, records, commands, database, kafka);
    }

    /** Is made anew for each test, which also closes it. */
    @Bean
    @Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
    FeedFixture feed(
            EventStore events,
            UnsteadyPublisher publisher,
            JdbcClient database,
            EventProcessingConfiguration processing,
            NewTopic topic,
            Environment settings) {
        return new FeedFixture(events, publisher, database, processing, topic, settings);
    }

    @Bean
    @Primary
    UnsteadyPublisher unsteadyPost(
            @Qualifier("lottery.messaging.KafkaMessagePublisher") AsyncMessagePublisher publisher) {
        return new UnsteadyPublisher(publisher);
    }
}
