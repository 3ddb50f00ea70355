package lottery.fairness;

import java.nio.file.Path;
import java.security.SecureRandom;
import lottery.store.vault.SecretCipher;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Configures the decryption of seeds, their cache, and the source of public random values. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(BeaconSettings.class)
class FairnessConfiguration {

    @Bean
    SeedCipher seedVault(SecretCipher vault) {
        return new SeedCipher(vault);
    }

    /**
     * Finds the source of public random values. An application may bring a source of its own.
     *
     * @param source {@code drand}, or {@code trial} for a file; if it is empty, no activity can have a draw at one time
     */
    @Bean
    @ConditionalOnMissingBean(PublicRandomness.class)
    PublicRandomness beacon(@Value("${lottery.beacon:}") String source, BeaconSettings settings, SecureRandom random) {
        return switch (source) {
            case "drand" -> new DrandBeacon(DrandChain.QUICKNET, settings.relays());
            case "trial" -> new FileBeacon(Path.of(settings.file()), settings.trial(), random);
            default -> new NoBeacon();
        };
    }

    @Bean
    SeedCache seeds(SeedCipher vault) {
        return new SeedCache(vault);
    }
}
