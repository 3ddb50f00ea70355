package lottery.fairness;

import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The vault with the keys that are configured, and the seeds in it. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SeedSettings.class)
class Fairness {

    @Bean
    SeedVault seedVault(SeedSettings settings) {
        return SeedVault.of(settings.keys(), settings.currentKey());
    }

    @Bean
    Seeds seeds(SeedVault vault) {
        return new Seeds(vault);
    }
}
