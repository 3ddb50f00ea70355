package lottery.fairness;

import lottery.store.vault.SecretCipher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Configures the keys that seal seeds. */
@Configuration(proxyBeanMethods = false)
public class SeedVaultConfiguration {

    @Bean
    SecretCipher vault(Environment environment) {
        return SecretCipher.of(environment, "lottery.seeds");
    }
}
