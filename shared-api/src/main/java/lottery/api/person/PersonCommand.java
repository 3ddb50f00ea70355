package lottery.api.person;

import lottery.api.Command;
import lottery.api.UserId;

/** The commands about a person. */
public sealed interface PersonCommand extends Command<ErasureState> {

    UserId userId();

    @Override
    default PersonId target() {
        return new PersonId(userId());
    }

    /**
     * Erases what can be read about a person. The first person proposes it, and another one does it.
     *
     * @param reason for people; it is kept in clear
     */
    record ErasePerson(UserId userId, String reason) implements PersonCommand {}
}
