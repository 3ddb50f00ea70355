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

    @Bean
    CodeCipher codeVault(CodeKeySettings settings, SecureRandom random) {
        return new CodeCipher(SecretCipher.of("LOTTERY_CODES", settings.keys(), settings.currentKey()), random);
    }
}
