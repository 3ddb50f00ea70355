package lottery.fulfilment.code;

import java.security.SecureRandom;
import lottery.store.vault.SecretCipher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Configures the keys that seal codes. */
@Configuration(proxyBeanMethods = false)
public class CodeCipherConfiguration {

    @Bean
    CodeCipher codeVault(Environment environment, SecureRandom random) {
        return new CodeCipher(SecretCipher.of(environment, "lottery.codes"), random);
    }
}
