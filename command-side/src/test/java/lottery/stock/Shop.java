package lottery.stock;

import java.security.SecureRandom;
import lottery.api.EventNames;
import lottery.store.EventTypes;
import lottery.store.commit.UniqueKeyClaims;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Scope;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Configures the store and Redis for tests of stock. It is not annotated, so that no component scan finds it. */
@EnableAutoConfiguration
class Shop {

    @Bean
    EventTypes eventTypes() {
        return EventTypes.of(EventNames.all(), EventNames::revisionOf);
    }

    @Bean
    SecureRandom random() {
        return new SecureRandom();
    }

    /** Is made anew for each test, which also closes it. */
    @Bean
    @Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
    StockFixture stock(
            EventStore events,
            UniqueKeyClaims claims,
            JdbcClient database,
            RedisLink link,
            SecureRandom random,
            Environment environment) {
        return new StockFixture(events, claims, database, link, random, environment);
    }
}
