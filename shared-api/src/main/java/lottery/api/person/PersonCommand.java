package lottery.api.person;

import lottery.api.Command;
import lottery.api.UserId;
import org.jspecify.annotations.Nullable;

/** The commands about a person. */
public sealed interface PersonCommand extends Command<ErasureProgress> {

    UserId userId();

    @Override
    default PersonId target() {
        return new PersonId(userId());
    }

    /**
     * Erases what can be read about a person. The first command proposes this, and a second command from another person
     * carries it out. The second command names the proposal. So if the first command is sent twice, it does not count
     * as an agreement.
     *
     * @param reason a text for people; it is stored in clear
     * @param proposal the proposal to agree to; null if the erasure is proposed
     */
    record ErasePerson(
            UserId userId, String reason, @Nullable String proposal) implements PersonCommand {}
}
