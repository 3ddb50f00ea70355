package lottery.api.person;

import lottery.api.EventName;
import lottery.api.EventOfDecision;
import lottery.api.EventOfUser;
import lottery.api.UserId;
import org.jspecify.annotations.Nullable;

/** The events of the erasure of persons. */
public sealed interface PersonEvent extends EventOfUser, EventOfDecision {

    /**
     * A person was erased. The key is deleted right after this event is stored. Texts that were sealed with it can no
     * longer be read by anybody then.
     *
     * @param proposedBy who has proposed the erasure; null if callers are not authenticated
     * @param agreedBy who has agreed to the erasure; null if callers are not authenticated
     * @param reason a text for people, which names nobody
     */
    @EventName("person.erased")
    record PersonErased(
            UserId userId,
            String keyId,
            @Nullable String proposedBy,
            @Nullable String agreedBy,
            String reason) implements PersonEvent {}
}
