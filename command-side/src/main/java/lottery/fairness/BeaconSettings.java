package lottery.fairness;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The source of public random values.
 *
 * @param file a file with one value a line; if the name is empty, there is no source, and no activity can have a draw
 *     at one time
 * @param trial whether a missing value is made up and written to the file. This is only for trials, because nobody else
 *     can look up a made-up value
 */
@ConfigurationProperties("lottery.beacon")
record BeaconSettings(
        @DefaultValue("") String file,
        @DefaultValue("false") boolean trial) {}
