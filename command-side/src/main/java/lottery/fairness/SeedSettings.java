package lottery.fairness;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The keys that encrypt seeds in the store.
 *
 * @param keys all keys that may be needed to decrypt a seed, by name; each key is 32 bytes in Base64
 * @param currentKey the name of the key that encrypts new seeds
 */
@ConfigurationProperties("lottery.seeds")
record SeedSettings(
        @DefaultValue Map<String, String> keys,
        @DefaultValue("") String currentKey) {

    /** Leaves the keys out, because logs and errors must not show them. */
    @Override
    public String toString() {
        return "the keys " + keys.keySet() + ", of which '" + currentKey + "' seals";
    }
}
