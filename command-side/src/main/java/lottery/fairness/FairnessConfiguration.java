package lottery.fairness;

import lottery.store.vault.SecretVault;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Configures the vault with its keys, and the cache of seeds. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SeedSettings.class)
class FairnessConfiguration {

    @Bean
    SecretVault vault(SeedSettings settings) {
        return SecretVault.of(settings.keys(), settings.currentKey());
    }

    @Bean
    SeedVault seedVault(SecretVault vault) {
        return new SeedVault(vault);
    }

    @Bean
    SeedCache seeds(SeedVault vault) {
        return new SeedCache(vault);
    }
}
