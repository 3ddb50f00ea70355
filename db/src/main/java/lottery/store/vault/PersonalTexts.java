package lottery.store.vault;

import java.util.Optional;

/** Seals the texts about persons that go into the log, each person's with a key of that person. */
public interface PersonalTexts {

    /**
     * Encrypts a text. A person without a key gets one.
     *
     * @param place the record that the text belongs to; it opens for that and this person only
     */
    String seal(String person, String place, String text);

    /**
     * Decrypts a text; empty if its key was erased.
     *
     * @throws SecretUnavailable if this process does not have the master key, or the text was changed or belongs to
     *     something else
     */
    Optional<String> open(String person, String place, String sealed);

    /** Returns the id of the person's key; empty if there is none. */
    Optional<String> keyOf(String person);

    /** Deletes a key, and with it what it has sealed. A later key of the person stays. */
    void erase(String person, String keyId);
}
