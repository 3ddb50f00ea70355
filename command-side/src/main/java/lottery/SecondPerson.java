package lottery;

import java.util.Collection;
import java.util.Optional;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.store.trace.Actor;

/**
 * The rule that nobody agrees to their own work. If callers are not authenticated, persons cannot be compared, but two
 * calls are still needed.
 */
public final class SecondPerson {

    private SecondPerson() {}

    /**
     * Returns the person who agrees now, or a refusal if that person is one of the first persons.
     *
     * @param work what is agreed to, and what the first persons have done, for a text such as {@code pass (written by
     *     olga)}
     */
    public static Answer<Optional<String>> agreeing(String work, String doneBy, Collection<String> firstPersons) {
        Optional<String> person = name();
        return person.filter(firstPersons::contains).isPresent()
                ? Answer.no(new Refused(Refusal.FORBIDDEN, "%s (%s by %s)".formatted(work, doneBy, person.get())))
                : Answer.done(person);
    }

    /** Returns the name of the person who sends the current command; empty if callers are not authenticated. */
    public static Optional<String> name() {
        return Actor.current().map(Actor::name);
    }
}
