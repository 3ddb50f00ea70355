package lottery.store.vault;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings for the master keys, which encrypt the keys of persons.
 *
 * @param keys the master keys by name, each 32 bytes in Base64. Every key that has sealed a person's key must be here
 * @param currentKey the name of the key that seals new secrets
 */
@ConfigurationProperties("lottery.persons")
record PersonKeySettings(
        @DefaultValue Map<String, String> keys,
        @DefaultValue("") String currentKey) {

    /** Leaves the keys out, because logs and errors must not show them. */
    @Override
    public String toString() {
        return "the keys " + keys.keySet() + ", of which '" + currentKey + "' seals";
    }
}
