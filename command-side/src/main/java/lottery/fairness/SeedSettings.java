package lottery.fairness;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The keys that seeds are encrypted with in the store.
 *
 * @param keys 32 bytes each in Base64, by their names; all that may be needed to open what was sealed
 * @param currentKey the name of the one that seals
 */
@ConfigurationProperties("lottery.seeds")
record SeedSettings(
        @DefaultValue Map<String, String> keys,
        @DefaultValue("") String currentKey) {

    /** What is shown of settings, in a log or an error, must not show a key. */
    @Override
    public String toString() {
        return "the keys " + keys.keySet() + ", of which '" + currentKey + "' seals";
    }
}
