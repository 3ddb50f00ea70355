package lottery.store.vault;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The master keys, which encrypt the keys of persons.
 *
 * @param keys 32 bytes each in Base64, by name; all that have sealed a key of a person
 * @param currentKey the name of the key that seals
 */
@ConfigurationProperties("lottery.persons")
record PersonSettings(
        @DefaultValue Map<String, String> keys,
        @DefaultValue("") String currentKey) {

    /** Leaves the keys out: logs and errors must not show them. */
    @Override
    public String toString() {
        return "the keys " + keys.keySet() + ", of which '" + currentKey + "' seals";
    }
}
