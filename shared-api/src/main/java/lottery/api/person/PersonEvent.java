package lottery.api.person;

import lottery.api.EventName;
import lottery.api.EventOfUser;
import lottery.api.UserId;
import org.jspecify.annotations.Nullable;

/** The events of the erasure of persons. */
public sealed interface PersonEvent extends EventOfUser {

    /**
     * Somebody wants to erase a person. The person is erased if another person wants it, too.
     *
     * @param keyId the key that would be deleted
     * @param reason a text for people, which names nobody
     */
    @EventName("person.erasure-proposed")
    record ErasureProposed(UserId userId, String keyId, String reason) implements PersonEvent {}

    /**
     * The key of a person was deleted. Nobody can read any more what the key has sealed.
     *
     * @param proposedBy the person who has proposed it; null if callers are not authenticated
     * @param agreedBy the person who has agreed to it; null if callers are not authenticated
     * @param reason the reason of the person who has agreed, as a text for people, which names nobody
     */
    @EventName("person.erased")
    record PersonErased(
            UserId userId,
            String keyId,
            @Nullable String proposedBy,
            @Nullable String agreedBy,
            String reason) implements PersonEvent {}
}
