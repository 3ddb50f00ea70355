package lottery.store.vault;

import java.security.SecureRandom;
import lottery.store.log.Logs;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Configures the vault of persons. An application that stores no data about persons leaves it out. */
@Configuration(proxyBeanMethods = false)
public class PersonVaultConfiguration {

    @Bean
    PersonVault personVault(
            Logs logs, Environment environment, SecureRandom random, ObjectProvider<PhoneDirectory> phones) {
        return new PersonVault(
                logs,
                SecretCipher.of(environment, "lottery.persons"),
                random,
                phones.getIfAvailable(() -> PhoneDirectory.NONE));
    }
}
