package lottery.api.person;

import java.util.Optional;

/** Opens the sealed texts of events about a person. */
@FunctionalInterface
public interface PersonalTextOpener {

    /**
     * Returns a text; empty if the person was erased.
     *
     * @param place the id of the record to which the text belongs, for example of a ban
     */
    Optional<String> open(String person, String place, String sealed);
}
