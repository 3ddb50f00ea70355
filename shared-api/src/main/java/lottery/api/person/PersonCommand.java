package lottery.api.person;

import lottery.api.Command;
import lottery.api.UserId;
import org.jspecify.annotations.Nullable;

/** The commands about a person. */
public sealed interface PersonCommand extends Command<PersonId> {

    UserId userId();

    @Override
    default PersonId target() {
        return new PersonId(userId());
    }

    /**
     * Records that what can be read about a person is erased, after two persons have agreed on it.
     *
     * @param keyId the key that is deleted after this
     * @param proposedBy who has proposed the erasure; null if callers are not authenticated
     * @param reason a text for people; it is stored in clear
     */
    record ErasePerson(
            UserId userId, String keyId, @Nullable String proposedBy, String reason) implements PersonCommand {}
}
