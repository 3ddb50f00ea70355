package lottery.journey;

import lottery.api.EventNames;
import lottery.journey.letter.Post;
import lottery.store.EventTypes;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;

/** The journeys alone, as the tests of this module start them, with a small stand-in for the side that decides. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({Journeys.class, Reader.class, Refusals.class})
class TestJourneys {

    @Bean
    EventTypes eventTypes() {
        return EventTypes.of(EventNames.all(), EventNames::revisionOf);
    }

    @Bean
    TestClock clock() {
        return new TestClock();
    }

    @Bean
    Campaigns campaigns(EventStore events) {
        return new Campaigns(events);
    }

    @Bean
    Recharges recharges(EventStore events, TestClock clock) {
        return new Recharges(events, clock);
    }

    @Bean
    AwardRecords awardRecords(EventStore events) {
        return new AwardRecords(events);
    }

    @Bean
    CreditAccounts creditAccounts() {
        return new CreditAccounts();
    }

    @Bean
    @Primary
    UnsteadyPost unsteadyPost(@Qualifier("lottery.journey.letter.KafkaPost") Post post) {
        return new UnsteadyPost(post);
    }
}
