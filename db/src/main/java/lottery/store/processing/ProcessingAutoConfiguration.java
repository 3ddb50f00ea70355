package lottery.store.processing;

import java.time.Duration;
import org.axonframework.eventhandling.tokenstore.TokenStore;
import org.axonframework.springboot.autoconfig.AxonAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Tokens, and the processors that move them. */
@AutoConfiguration(after = JdbcClientAutoConfiguration.class, before = AxonAutoConfiguration.class)
class ProcessingAutoConfiguration {

    private static final Duration TOKEN_CLAIM_MAX = Duration.ofSeconds(10);

    @Bean
    TokenStore tokenStore(JdbcClient database) {
        return new TokenTable(database, TOKEN_CLAIM_MAX);
    }
}
