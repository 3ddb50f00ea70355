package lottery.person;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasToString;

import java.util.List;
import java.util.Map;
import java.util.Set;
import lottery.CommandTargets;
import lottery.PersonsInMemory;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.person.ErasureProgress;
import lottery.api.person.PersonCommand.ErasePerson;
import lottery.api.person.PersonEvent.ErasureProposed;
import lottery.api.person.PersonEvent.PersonErased;
import lottery.store.trace.Actor;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.GenericEventMessage;
import org.axonframework.test.aggregate.AggregateTestFixture;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The erasure of a person")
class PersonErasureTest {

    private static final UserId ANN = new UserId("ann");
    private static final ErasePerson ERASE = new ErasePerson(ANN, "Request 17", null);
    private static final ErasePerson AGREE = new ErasePerson(ANN, "Request 17", "key1");
    private static final ErasureProposed PROPOSED = new ErasureProposed(ANN, "key1", "Request 17");
    private static final EventMessage<?> BY_DORA =
            new GenericEventMessage<>(PROPOSED, Map.of(Actor.NAME_KEY, "dora", Actor.ROLE_KEY, "desk"));

    private final PersonsInMemory texts = new PersonsInMemory();
    private final FixtureConfiguration<PersonErasure> persons = new AggregateTestFixture<>(PersonErasure.class)
            .registerCommandTargetResolver(new CommandTargets())
            .registerInjectableResource(texts);

    private static Actor actor(String name) {
        return new Actor(name, "desk", Set.of("desk"), Actor.AccessScope.ALL);
    }

    @Test
    @DisplayName("It is proposed, and the key stays.")
    void proposed() {
        texts.seal("ann", "place", "text");
        persons.givenNoPriorActivity()
                .when(ERASE)
                .expectEvents(PROPOSED)
                .expectResultMessagePayload(Answer.done(ErasureProgress.proposed("key1")));
        assertThat(texts.keyOf("ann")).isPresent();
    }

    @Test
    @DisplayName("It is done by another person, and names both. The same person is refused.")
    void twoPersons() {
        texts.seal("ann", "place", "text");
        try (var _ = Actor.open(actor("dora"))) {
            persons.given(BY_DORA)
                    .when(AGREE)
                    .expectNoEvents()
                    .expectResultMessagePayload(
                            Answer.no(new Refused(Refusal.FORBIDDEN, "erasure (proposed by dora)")));
        }
        assertThat(texts.keyOf("ann")).isPresent();
        try (var _ = Actor.open(actor("dan"))) {
            persons.given(BY_DORA)
                    .when(AGREE)
                    .expectEvents(new PersonErased(ANN, "key1", "dora", "dan", "Request 17"))
                    .expectResultMessagePayload(Answer.done(ErasureProgress.erased()));
        }
        assertThat(texts.keyOf("ann")).isEmpty();
    }

    @Test
    @DisplayName("It takes two calls where callers are not authenticated.")
    void nobodyAsked() {
        texts.seal("ann", "place", "text");
        persons.given(PROPOSED).when(AGREE).expectEvents(new PersonErased(ANN, "key1", null, null, "Request 17"));
    }

    @Test
    @DisplayName("It is not done by a call that names no proposal, however often it comes and whoever makes it.")
    void repeated() {
        texts.seal("ann", "place", "text");
        persons.given(PROPOSED)
                .when(ERASE)
                .expectNoEvents()
                .expectResultMessagePayload(Answer.done(ErasureProgress.proposed("key1")));
        try (var _ = Actor.open(actor("dan"))) {
            persons.given(BY_DORA)
                    .when(ERASE)
                    .expectNoEvents()
                    .expectResultMessagePayload(Answer.done(ErasureProgress.proposed("key1")));
        }
        assertThat(texts.keyOf("ann")).isPresent();
    }

    @Test
    @DisplayName("It is not done by a call that names another proposal.")
    void anotherProposal() {
        texts.seal("ann", "place", "text");
        ErasePerson other = new ErasePerson(ANN, "Request 17", "key0");
        persons.given(PROPOSED)
                .when(other)
                .expectNoEvents()
                .expectException(RefusedException.class)
                .expectException(hasToString(containsString("NOT_FOUND")));
        persons.givenNoPriorActivity().when(other).expectNoEvents().expectException(RefusedException.class);
        assertThat(texts.keyOf("ann")).isPresent();
    }

    @Test
    @DisplayName("It is stored by a repeated command if the key was deleted and nothing was stored.")
    void interrupted() {
        persons.given(PROPOSED).when(AGREE).expectEvents(new PersonErased(ANN, "key1", null, null, "Request 17"));
    }

    @Test
    @DisplayName("It changes nothing more once it is done, until there is another key.")
    void again() {
        PersonErased erased = new PersonErased(ANN, "key0", null, null, "Request 17");
        for (ErasePerson repeated : List.of(ERASE, new ErasePerson(ANN, "Request 17", "key0"))) {
            persons.given(PROPOSED, erased)
                    .when(repeated)
                    .expectNoEvents()
                    .expectResultMessagePayload(Answer.done(ErasureProgress.erased()));
        }
        texts.seal("ann", "place", "later");
        persons.given(PROPOSED, erased).when(ERASE).expectEvents(PROPOSED);
        assertThat(texts.keyOf("ann")).isPresent();
    }

    @Test
    @DisplayName("It is refused for a person of whom nothing was sealed.")
    void nothing() {
        persons.givenNoPriorActivity()
                .when(ERASE)
                .expectNoEvents()
                .expectException(RefusedException.class)
                .expectException(hasToString(containsString("NOT_FOUND")));
    }
}
