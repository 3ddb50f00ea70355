package lottery.person;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import lottery.SecondPerson;
import lottery.api.Answer;
import lottery.api.person.PersonCommand.ErasePerson;
import lottery.api.person.PersonEvent.PersonErased;
import lottery.api.person.PersonId;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.CreationPolicy;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/** The aggregate of the erasures of a person. It is created by the first one. */
@Aggregate(type = "person", commandTargetResolver = "commandTargets", lockFactory = "aggregateLocks")
class PersonErasure {

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    PersonErasure() {}

    /** Records the erasure, on which two persons have agreed. The key is deleted after the commit. */
    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.CREATE_IF_MISSING)
    Answer<PersonId> handle(ErasePerson erase) {
        apply(new PersonErased(
                erase.userId(),
                erase.keyId(),
                erase.proposedBy(),
                SecondPerson.name().orElse(null),
                erase.reason()));
        return Answer.done(erase.target());
    }

    @EventSourcingHandler
    void on(PersonErased erased) {
        id = new PersonId(erased.userId()).text();
    }
}
