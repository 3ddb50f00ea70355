package lottery.person;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.person.ErasureProgress;
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

/** The aggregate that decides whether a person is erased. It is created by the first proposal. */
@Aggregate(type = "person", commandTargetResolver = "commandTargets", lockFactory = "aggregateLocks")
class PersonErasure {

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    /** The proposal that waits for another person. */
    private @Nullable ErasureProposed proposed;

    private @Nullable String proposedBy;

    /** The key that was deleted last. */
    private @Nullable String erasedKeyId;

    PersonErasure() {}

    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.CREATE_IF_MISSING)
    Answer<ErasureProgress> handle(ErasePerson erase, PersonalTexts texts) {
        String proposal = erase.proposal();
        return proposal == null ? propose(erase, texts) : agree(erase, proposal, texts);
    }

    /**
     * Proposes the erasure, or returns the proposal that waits already. The id of the proposal is the id of the
     * person's key, which is random.
     */
    private Answer<ErasureProgress> propose(ErasePerson erase, PersonalTexts texts) {
        if (proposed != null) {
            return Answer.done(ErasureProgress.proposed(proposed.keyId()));
        }
        return texts.keyOf(erase.userId().value())
                .map(keyId -> {
                    apply(new ErasureProposed(erase.userId(), keyId, erase.reason()));
                    return Answer.done(ErasureProgress.proposed(keyId));
                })
                .orElseGet(() -> nothingLeft(erase.userId()));
    }

    /**
     * Erases the person at the second call, which must come from another person than the first. If callers are not
     * authenticated, the persons cannot be compared, but two calls are still needed.
     *
     * <p>The key is deleted before the event is stored. If the process ends in between, a repeated command stores the
     * event.
     */
    private Answer<ErasureProgress> agree(ErasePerson erase, String proposal, PersonalTexts texts) {
        if (proposal.equals(erasedKeyId)) {
            return Answer.done(ErasureProgress.erased());
        }
        ErasureProposed before = proposed;
        if (before == null || !before.keyId().equals(proposal)) {
            throw notFound(new PersonId(erase.userId()).text() + ", proposal " + proposal);
        }
        String person = Actor.current().map(Actor::name).orElse(null);
        if (person != null && person.equals(proposedBy)) {
            return Answer.no(new Refused(Refusal.FORBIDDEN, "erasure (proposed by " + person + ")"));
        }
        texts.erase(erase.userId().value(), before.keyId());
        apply(new PersonErased(erase.userId(), before.keyId(), proposedBy, person, erase.reason()));
        return Answer.done(ErasureProgress.erased());
    }

    private Answer<ErasureProgress> nothingLeft(UserId userId) {
        if (id == null) {
            throw notFound(new PersonId(userId).text());
        }
        return Answer.done(ErasureProgress.erased());
    }

    /**
     * Returns the refusal as an exception. It is thrown, so that the refused command does not create this aggregate.
     */
    private static RefusedException notFound(String what) {
        return new RefusedException(Refusal.NOT_FOUND, what);
    }

    @EventSourcingHandler
    void on(PersonEvent event, @MetaDataValue(Actor.NAME_KEY) @Nullable String actor) {
        id = new PersonId(event.userId()).text();
        switch (event) {
            case ErasureProposed proposal -> {
                proposed = proposal;
                proposedBy = actor;
            }
            case PersonErased erased -> {
                erasedKeyId = erased.keyId();
                proposed = null;
                proposedBy = null;
            }
        }
    }
}
