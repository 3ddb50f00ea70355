package lottery.person;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.person.ErasureState;
import lottery.api.person.PersonCommand.ErasePerson;
import lottery.api.person.PersonEvent;
import lottery.api.person.PersonEvent.ErasureProposed;
import lottery.api.person.PersonEvent.PersonErased;
import lottery.api.person.PersonId;
import lottery.store.trace.Actor;
import lottery.store.vault.PersonalTexts;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.messaging.annotation.MetaDataValue;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.CreationPolicy;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/** Whether a person is to be erased. It begins with the first proposal. */
@Aggregate(type = "person", commandTargetResolver = "commandTargets", lockFactory = "aggregateLocks")
class PersonErasure {

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    /** The proposal that waits for another person. */
    private @Nullable ErasureProposed proposed;

    private @Nullable String proposedBy;

    PersonErasure() {}

    /**
     * The second person must not be the first one. Where nobody is asked who he is, two calls are needed all the same.
     *
     * <p>The key is deleted before the event is stored. If the process ends in between, a repeated command stores it.
     */
    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.CREATE_IF_MISSING)
    Answer<ErasureState> handle(ErasePerson erase, PersonalTexts texts) {
        ErasureProposed before = proposed;
        if (before == null) {
            return texts.keyOf(erase.userId().value())
                    .map(keyId -> propose(erase, keyId))
                    .orElseGet(() -> nothingLeft(erase.userId()));
        }
        String person = Actor.current().map(Actor::name).orElse(null);
        if (person != null && person.equals(proposedBy)) {
            return Answer.no(new Refused(Refusal.FORBIDDEN, "erasure (proposed by " + person + ")"));
        }
        texts.erase(erase.userId().value(), before.keyId());
        apply(new PersonErased(erase.userId(), before.keyId(), proposedBy, person, erase.reason()));
        return Answer.done(ErasureState.ERASED);
    }

    private static Answer<ErasureState> propose(ErasePerson erase, String keyId) {
        apply(new ErasureProposed(erase.userId(), keyId, erase.reason()));
        return Answer.done(ErasureState.PROPOSED);
    }

    /** Throws a refusal, because a refusal must not create anything. */
    private Answer<ErasureState> nothingLeft(UserId userId) {
        if (id == null) {
            throw new RefusedException(Refusal.NOT_FOUND, new PersonId(userId).text());
        }
        return Answer.done(ErasureState.ERASED);
    }

    @EventSourcingHandler
    void on(PersonEvent event, @MetaDataValue(Actor.NAME_KEY) @Nullable String actor) {
        id = new PersonId(event.userId()).text();
        switch (event) {
            case ErasureProposed proposal -> {
                proposed = proposal;
                proposedBy = actor;
            }
            case PersonErased _ -> {
                proposed = null;
                proposedBy = null;
            }
        }
    }
}
