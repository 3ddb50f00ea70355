package lottery.person;

import java.util.Set;
import lottery.CommandTargets;
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

    private final FixtureConfiguration<PersonErasure> persons =
            new AggregateTestFixture<>(PersonErasure.class).registerCommandTargetResolver(new CommandTargets());

    @Test
    @DisplayName("It names both persons, and each key that is deleted.")
    void erased() {
        PersonErased first = new PersonErased(ANN, "key1", "dora", "dan", "Request 17");
        try (var _ = Actor.open(new Actor("dan", "desk", Set.of("desk"), Actor.AccessScope.ALL))) {
            persons.givenNoPriorActivity()
                    .when(ERASE)
                    .expectEvents(first)
                    .expectResultMessagePayload(Answer.done(new PersonId(ANN)));
        }
        persons.given(first)
                .when(new ErasePerson(ANN, "key2", null, "Request 18"))
                .expectEvents(new PersonErased(ANN, "key2", null, null, "Request 18"));
    }
}
