package lottery.person;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import lottery.CommandTargets;
import lottery.PersonsInMemory;
import lottery.api.Answer;
import lottery.api.UserId;
import lottery.api.person.PersonCommand.ErasePerson;
import lottery.api.person.PersonEvent.PersonErased;
import lottery.api.person.PersonId;
import lottery.store.trace.Actor;
import org.axonframework.test.aggregate.AggregateTestFixture;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The erasure of a person")
class PersonErasureTest {

    private static final UserId ANN = new UserId("ann");
    private static final ErasePerson ERASE = new ErasePerson(ANN, "key1", "dora", "Request 17");

    private final PersonsInMemory texts = new PersonsInMemory();
    private final FixtureConfiguration<PersonErasure> persons = new AggregateTestFixture<>(PersonErasure.class)
            .registerCommandTargetResolver(new CommandTargets())
            .registerInjectableResource(texts);

    @Test
    @DisplayName("It deletes the key, and names both persons.")
    void erased() {
        texts.seal("ann", "place", "text");
        try (var _ = Actor.open(new Actor("dan", "desk", Set.of("desk"), Actor.AccessScope.ALL))) {
            persons.givenNoPriorActivity()
                    .when(ERASE)
                    .expectEvents(new PersonErased(ANN, "key1", "dora", "dan", "Request 17"))
                    .expectResultMessagePayload(Answer.done(new PersonId(ANN)));
        }
        assertThat(texts.keyOf("ann")).isEmpty();
    }

    @Test
    @DisplayName("It is stored by a repeated command if the key was deleted and nothing was stored.")
    void interrupted() {
        persons.givenNoPriorActivity()
                .when(ERASE)
                .expectEvents(new PersonErased(ANN, "key1", "dora", null, "Request 17"));
    }

    @Test
    @DisplayName("It leaves a key alone that is newer than the one that was agreed on.")
    void newerKey() {
        texts.seal("ann", "place", "text");
        persons.given(new PersonErased(ANN, "key0", null, null, "Request 16"))
                .when(new ErasePerson(ANN, "key0", null, "Request 16"))
                .expectEvents(new PersonErased(ANN, "key0", null, null, "Request 16"));
        assertThat(texts.keyOf("ann")).isPresent();
    }
}
