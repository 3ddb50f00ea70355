package lottery.fulfilment.code;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The keys that encrypt codes in the store.
 *
 * @param keys all keys that have sealed a code, by name; each key is 32 bytes in Base64
 * @param currentKey the name of the key that seals new codes
 */
@ConfigurationProperties("lottery.codes")
record CodeKeySettings(
        @DefaultValue Map<String, String> keys,
        @DefaultValue("") String currentKey) {

    /** Leaves the keys out, because logs and errors must not show them. */
    @Override
    public String toString() {
        return "the keys " + keys.keySet() + ", of which '" + currentKey + "' seals";
    }
}
