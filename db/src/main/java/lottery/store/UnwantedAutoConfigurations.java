package lottery.store;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurationImportFilter;
import org.springframework.boot.autoconfigure.AutoConfigurationMetadata;

/**
 * Excludes parts of Axon's starter wherever the store is used. Axon's JPA storage writes large objects and is several
 * times slower on PostgreSQL. Axon's handler time-outs walk the stack around every handler, which costs more than a
 * command. The update check and the parts that look for an Axon Server are excluded, too.
 */
final class UnwantedAutoConfigurations implements AutoConfigurationImportFilter {

    private static final String AXON = "org.axonframework.springboot.autoconfig.";

    static final Set<String> UNWANTED = Set.of(
            AXON + "JpaAutoConfiguration",
            AXON + "JpaEventStoreAutoConfiguration",
            AXON + "AxonTimeoutAutoConfiguration",
            AXON + "AxonServerAutoConfiguration",
            AXON + "AxonServerBusAutoConfiguration",
            AXON + "AxonServerActuatorAutoConfiguration",
            AXON + "UpdateCheckerAutoConfiguration",
            AXON + "XStreamAutoConfiguration");

    @Override
    public boolean[] match(@Nullable String[] candidates, AutoConfigurationMetadata metadata) {
        boolean[] wanted = new boolean[candidates.length];
        for (int i = 0; i < candidates.length; i++) {
            wanted[i] = candidates[i] == null || !UNWANTED.contains(candidates[i]);
        }
        return wanted;
    }
}
