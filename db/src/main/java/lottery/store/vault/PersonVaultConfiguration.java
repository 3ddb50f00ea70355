package lottery.store.vault;

import java.security.SecureRandom;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Configures the vault of persons. An application that stores no data about persons leaves it out. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(PersonKeySettings.class)
public class PersonVaultConfiguration {

    @Bean
    PersonVault personVault(JdbcClient database, PersonKeySettings settings, SecureRandom random) {
        SecretCipher masterKeys = SecretCipher.of("LOTTERY_PERSONS", settings.keys(), settings.currentKey());
        return new PersonVault(database, masterKeys, random);
    }
}
