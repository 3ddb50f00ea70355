package lottery.api.person;

import lottery.api.EventName;
import lottery.api.EventOfUser;
import lottery.api.UserId;
import org.jspecify.annotations.Nullable;

/** The events of the erasure of persons. */
public sealed interface PersonEvent extends EventOfUser {

    /**
     * Somebody has proposed to erase a person. The person is erased if somebody else agrees.
     *
     * @param keyId the key that would be deleted
     * @param reason a text for people, which names nobody
     */
    @EventName("person.erasure-proposed")
    record ErasureProposed(UserId userId, String keyId, String reason) implements PersonEvent {}

    /**
     * The key of a person was deleted. Texts that were sealed with this key can no longer be read by anybody.
     *
     * @param proposedBy who has proposed the erasure; null if callers are not authenticated
     * @param agreedBy who has agreed to the erasure; null if callers are not authenticated
     * @param reason the reason that was given with the agreement, as a text for people, which names nobody
     */
    @EventName("person.erased")
    record PersonErased(
            UserId userId,
            String keyId,
            @Nullable String proposedBy,
            @Nullable String agreedBy,
            String reason) implements PersonEvent {}
}
