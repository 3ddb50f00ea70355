package lottery.saga;

import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/** Allows calls to the webhook of the tests, whose port is known only after its start. */
final class WebhookAddress implements EnvironmentPostProcessor {

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "webhook",
                        Map.of(
                                "lottery.fulfilment.coupon.hosts",
                                String.join(",", LocalWebhook.allowed()),
                                "lottery.fulfilment.coupon.secret",
                                LocalWebhook.SECRET,
                                "lottery.fulfilment.coupon.plain-http",
                                "true")));
    }
}
