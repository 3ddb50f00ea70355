package lottery.fairness;

import lottery.store.vault.Vault;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The vault with the keys that are configured, and the seeds in it. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SeedSettings.class)
class Fairness {

    @Bean
    Vault vault(SeedSettings settings) {
        return Vault.of(settings.keys(), settings.currentKey());
    }

    @Bean
    SeedVault seedVault(Vault vault) {
        return new SeedVault(vault);
    }

    @Bean
    Seeds seeds(SeedVault vault) {
        return new Seeds(vault);
    }
}
