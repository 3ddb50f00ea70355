package lottery.stock;

import java.security.SecureRandom;
import lottery.api.EventNames;
import lottery.store.EventTypes;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

/** The store and Redis, for stocks that tests put there. It is no configuration that others find by its package. */
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
}
