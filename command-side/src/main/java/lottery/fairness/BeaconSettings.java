package lottery.fairness;

import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The source of public random values.
 *
 * @param relays the servers that are asked for values of drand
 * @param file for trials: a file with one value a line
 * @param trial whether a value that the file lacks is made up and added to it
 */
@ConfigurationProperties("lottery.beacon")
record BeaconSettings(
        @DefaultValue({
            "https://api.drand.sh",
            "https://api2.drand.sh",
            "https://api3.drand.sh",
            "https://drand.cloudflare.com"
        })
        List<String> relays,

        @DefaultValue("") String file,
        @DefaultValue("false") boolean trial) {}
