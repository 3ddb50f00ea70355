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
     * Erases what can be read about a person. The first person proposes it, and another one does it. The second one
     * names the proposal, so that a command that comes twice is no agreement with itself.
     *
     * @param reason for people; it is kept in clear
     * @param proposal the one to agree to; null: it is proposed
     */
    record ErasePerson(
            UserId userId, String reason, @Nullable String proposal) implements PersonCommand {}
}
