package lottery.store.vault;

import java.util.Optional;

/** The phones of persons. They are kept outside of the log, and are deleted with the person's key. */
public interface PhoneDirectory {

    /** The directory of an application that keeps no phones. */
    PhoneDirectory NONE = new PhoneDirectory() {
        @Override
        public Optional<String> phoneOf(String person) {
            return Optional.empty();
        }

        @Override
        public Optional<String> keyOf(String person) {
            return Optional.empty();
        }

        @Override
        public void erase(String person) {}
    };

    Optional<String> phoneOf(String person);

    /** Returns a name of the phone that a person has now, which does not tell the phone; empty if there is none. */
    Optional<String> keyOf(String person);

    /** Deletes the phone of a person. It does nothing if there is none. */
    void erase(String person);
}
