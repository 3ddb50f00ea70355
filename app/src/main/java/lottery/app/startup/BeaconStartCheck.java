package lottery.app.startup;

import lottery.security.CannotStartException;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Stops the start if the source of public random values is not clear. A file is only used for what is called a trial.
 */
final class BeaconStartCheck implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        Environment environment = event.getEnvironment();
        boolean hasFile = StringUtils.hasText(environment.getProperty("lottery.beacon.file"));
        boolean isClear = switch (environment.getProperty("lottery.beacon", "")) {
            case "", "drand" -> !hasFile;
            case "trial" -> hasFile;
            default -> false;
        };
        if (!isClear) {
            throw new CannotStartException(
                    "The source of public random values is not clear.",
                    "Set LOTTERY_BEACON=drand. For trials only, set LOTTERY_BEACON=trial and LOTTERY_BEACON_FILE.");
        }
    }
}
