package lottery.alipay;

import com.alipay.api.AlipayApiException;
import java.time.InstantSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Configures payments by Alipay, if it is one of the chosen providers. */
@AutoConfiguration
@ConditionalOnExpression(
        "'${lottery.payments.providers:}'.replace(' ', '').split(',').?[#this == 'alipay'].length == 1")
@EnableConfigurationProperties(AlipaySettings.class)
class AlipayAutoConfiguration {

    @Bean
    AlipayProvider alipayProvider(AlipaySettings settings, InstantSource clock) throws AlipayApiException {
        return new AlipayProvider(settings, clock);
    }
}
