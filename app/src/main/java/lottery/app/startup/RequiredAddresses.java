package lottery.app.startup;

import java.util.List;
import java.util.Locale;
import lottery.security.CannotStartException;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.util.StringUtils;

/** Stops the start if the address of a server is missing, and names the missing variable. */
final class RequiredAddresses implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {

    private static final List<String> REQUIRED =
            List.of("lottery.postgres.url", "lottery.redis.url", "lottery.kafka.servers");

    /** Runs last, after everything that may still provide an address. */
    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        List<String> missing = REQUIRED.stream()
                .filter(name -> !StringUtils.hasText(event.getEnvironment().getProperty(name)))
                .map(name -> name.toUpperCase(Locale.ROOT).replace('.', '_'))
                .toList();
        if (!missing.isEmpty()) {
            throw new CannotStartException(
                    "Addresses of servers are not set: " + String.join(", ", missing) + ".",
                    "Set them in the environment. To try the lottery with embedded servers, run `mvn -q -Drun`.");
        }
    }
}
