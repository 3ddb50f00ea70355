package lottery.store.vault;

import java.util.Optional;

/** Encrypts texts about persons for the log, each with the key of that person. */
public interface PersonalTexts {

    /**
     * Encrypts a text. A person without a key gets one.
     *
     * @param place the record that the text belongs to; the text can be decrypted only for this place and this person
     */
    String seal(String person, String place, String text);

    /**
     * Decrypts a text; empty if its key was erased.
     *
     * @throws SecretUnavailableException if this process does not have the master key, if the sealed text was changed,
     *     or if it was sealed for another person or another place
     */
    Optional<String> open(String person, String place, String sealed);

    /**
     * Returns the id of the person's key; empty if there is nothing to erase. A person may have a phone, but no key.
     */
    Optional<String> keyOf(String person);

    /** Returns the phone that is kept of a person. */
    default Optional<String> phoneOf(String person) {
        return Optional.empty();
    }

    /**
     * Deletes a key, so that the texts that it has sealed cannot be read any more, and the phone of the person. A later
     * key of the person stays.
     */
    void erase(String person, String keyId);
}
