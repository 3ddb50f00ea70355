package lottery.stock;

import java.security.SecureRandom;
import lottery.api.EventNames;
import lottery.store.EventTypes;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;

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
}
