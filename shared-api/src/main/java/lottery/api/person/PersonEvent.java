package lottery.api.person;

import lottery.api.EventName;
import lottery.api.EventOfUser;
import lottery.api.UserId;
import org.jspecify.annotations.Nullable;

/** The events of persons who are forgotten. */
public sealed interface PersonEvent extends EventOfUser {

    /**
     * Somebody wants to erase a person. It happens if another one wants it, too.
     *
     * @param keyId the key that would be deleted
     * @param reason for people; it names nobody
     */
    @EventName("person.erasure-proposed")
    record ErasureProposed(UserId userId, String keyId, String reason) implements PersonEvent {}

    /**
     * The key of a person was deleted, and nobody can read any more what it has sealed.
     *
     * @param proposedBy who asked for it; null where nobody is asked who he is
     * @param agreedBy who did it; null where nobody is asked who he is
     * @param reason of the one who did it, for people; it names nobody
     */
    @EventName("person.erased")
    record PersonErased(
            UserId userId,
            String keyId,
            @Nullable String proposedBy,
            @Nullable String agreedBy,
            String reason) implements PersonEvent {}
}
