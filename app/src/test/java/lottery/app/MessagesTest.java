package lottery.app;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.INTERFACES;
import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static lottery.app.Production.CLASSES;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import java.util.Set;
import lottery.api.Command;
import lottery.api.Event;
import lottery.api.EventNames;
import lottery.app.Production.Part;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventhandling.EventHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.saga.SagaEventHandler;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Messages")
class MessagesTest {

    @Test
    @DisplayName("Every event is a record")
    void eventRecords() {
        classes()
                .that()
                .implement(Event.class)
                .and(not(INTERFACES))
                .should()
                .beRecords()
                .because("what happened never changes, and its fields are what is stored")
                .check(CLASSES);
    }

    @Test
    @DisplayName("Every event is nested in the sealed interface of its family")
    void eventFamilies() {
        classes()
                .that()
                .implement(Event.class)
                .and(not(INTERFACES))
                .should(be(describe("nested in a sealed interface of theirs", MessagesTest::isInItsFamily)))
                .because("a switch over a family is checked by the compiler: nobody forgets a new event")
                .check(CLASSES);
    }

    @Test
    @DisplayName("Every event has a stable name")
    void eventNames() {
        Set<Class<?>> named = Set.copyOf(EventNames.all().values());
        classes()
                .that()
                .implement(Event.class)
                .and(not(INTERFACES))
                .should(be(describe("in EventNames.all()", event -> named.contains(event.reflect()))))
                .because("without a name an event cannot be stored, which nobody should find out in production")
                .check(CLASSES);
    }

    @Test
    @DisplayName("Every command is a record")
    void commandRecords() {
        classes()
                .that()
                .implement(Command.class)
                .and(not(INTERFACES))
                .should()
                .beRecords()
                .because("a command may be sent again, and must be the same then")
                .check(CLASSES);
    }

    @Test
    @DisplayName("Every command handler takes a command first")
    void handledCommands() {
        methods()
                .that()
                .areAnnotatedWith(CommandHandler.class)
                .and(are(ofTheLottery()))
                .should(be(handling(Command.class)))
                .because("a command says itself whom it is for")
                .check(CLASSES);
    }

    @Test
    @DisplayName("Every event handler takes an event first")
    void handledEvents() {
        methods()
                .that()
                .areMetaAnnotatedWith(EventHandler.class)
                .or()
                .areAnnotatedWith(EventSourcingHandler.class)
                .or()
                .areAnnotatedWith(SagaEventHandler.class)
                .and(are(ofTheLottery()))
                .should(be(handling(Event.class)))
                .because("Axon calls a handler whose message does not come first for no event at all")
                .check(CLASSES);
    }

    /** Leaves out the handlers of the store's benchmark, which has messages of its own. */
    private static DescribedPredicate<JavaMethod> ofTheLottery() {
        return describe("of the lottery itself", method -> !Part.FIGURES.has(method.getOwner()));
    }

    private static boolean isInItsFamily(JavaClass event) {
        return event.getEnclosingClass()
                .filter(family ->
                        family.isInterface() && family.reflect().isSealed() && event.isAssignableTo(family.reflect()))
                .isPresent();
    }

    private static DescribedPredicate<JavaMethod> handling(Class<?> message) {
        return describe(
                "given a " + message.getSimpleName() + " first",
                method -> !method.getRawParameterTypes().isEmpty()
                        && method.getRawParameterTypes().getFirst().isAssignableTo(message));
    }
}
