package lottery.saga.grant;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import lottery.store.vault.PersonalTexts;

/** Persons whose keys are in memory. A sealed text names key and place. */
final class PersonalTextsInMemory implements PersonalTexts {

    private final Map<String, String> keys = new HashMap<>();
    private int made;

    @Override
    public String seal(String person, String place, String text) {
        String key = keys.computeIfAbsent(person, _ -> "key" + ++made);
        return key + ":" + place + ":" + Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    @Override
    public Optional<String> open(String person, String place, String sealed) {
        return keyOf(person)
                .map(key -> key + ":" + place + ":")
                .filter(sealed::startsWith)
                .map(begin -> new String(Base64.getDecoder().decode(sealed.substring(begin.length())), UTF_8));
    }

    @Override
    public Optional<String> keyOf(String person) {
        return Optional.ofNullable(keys.get(person));
    }

    @Override
    public void erase(String person, String keyId) {
        keys.remove(person, keyId);
    }
}
