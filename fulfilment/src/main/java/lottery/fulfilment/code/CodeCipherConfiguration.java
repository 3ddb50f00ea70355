package lottery.fulfilment.code;

import java.security.SecureRandom;
import lottery.store.vault.SecretCipher;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Configures the keys that seal codes. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(CodeKeySettings.class)
public class CodeCipherConfiguration {

    /** Earlier versions sealed codes with the keys of seeds, so the keys of seeds open codes, too. */
    @Bean
    CodeCipher codeVault(CodeKeySettings settings, SecretCipher seedKeys, SecureRandom random) {
        SecretCipher own = SecretCipher.of("LOTTERY_CODES", settings.keys(), settings.currentKey());
        return new CodeCipher(own.alsoOpening(seedKeys), random);
    }
}
