package lottery.app.startup;

import java.util.List;
import java.util.Locale;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.StringUtils;

/** Stops the start if the address of a server is missing, and names the missing variable. */
final class RequiredAddresses implements EnvironmentPostProcessor, Ordered {

    private static final List<String> REQUIRED =
            List.of("lottery.postgres.url", "lottery.redis.url", "lottery.kafka.servers");

    /** Runs last, after everything that may still provide an address. */
    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        List<String> missing = REQUIRED.stream()
                .filter(name -> !StringUtils.hasText(environment.getProperty(name)))
                .map(name -> name.toUpperCase(Locale.ROOT).replace('.', '_'))
                .toList();
        if (!missing.isEmpty()) {
            throw new CannotStartException(
                    "Addresses of servers are not set: " + String.join(", ", missing) + ".",
                    "Set them in the environment. To try the lottery with embedded servers, run `mvn -q -Drun`.");
        }
    }
}
