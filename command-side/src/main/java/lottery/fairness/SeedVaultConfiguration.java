package lottery.fairness;

import lottery.store.vault.SecretCipher;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Configures the keys that seal seeds. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SeedSettings.class)
public class SeedVaultConfiguration {

    @Bean
    SecretCipher vault(SeedSettings settings) {
        return SecretCipher.of("LOTTERY_SEEDS", settings.keys(), settings.currentKey());
    }
}
