package lottery.app;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.conditions.ArchConditions.be;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.have;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.USE_JAVA_UTIL_LOGGING;
import static lottery.app.Production.CLASSES;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.time.InstantSource;
import java.time.temporal.TemporalAccessor;
import java.util.Calendar;
import java.util.Date;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import lottery.app.Production.Part;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Habits of the code")
class HabitsTest {

    /** Names instead of classes, because not all of them are on the class path, and none should have to be. */
    private static final Set<String> INJECTIONS = Set.of(
            "org.springframework.beans.factory.annotation.Autowired",
            "org.springframework.beans.factory.annotation.Value",
            "jakarta.inject.Inject",
            "jakarta.annotation.Resource",
            "jakarta.persistence.PersistenceContext",
            "javax.inject.Inject");

    @Test
    @DisplayName("Nothing is injected into a field or a method")
    void fieldInjection() {
        noFields()
                .should()
                .beAnnotatedWith(describe(
                        "injection",
                        annotation ->
                                INJECTIONS.contains(annotation.getRawType().getName())))
                .because("a constructor says what is needed, and leaves nothing half made")
                .check(CLASSES);
        noMethods()
                .should()
                .beAnnotatedWith(describe(
                        "injection",
                        annotation ->
                                INJECTIONS.contains(annotation.getRawType().getName())))
                .because("a constructor says what is needed, and leaves nothing half made")
                .check(CLASSES);
    }

    @Test
    @DisplayName("Nothing is changed by a setter")
    void setters() {
        methods()
                .that()
                .haveNameMatching("set[A-Z].*")
                .and(have(describe(
                        "one parameter", method -> method.getRawParameterTypes().size() == 1)))
                .should(be(describe("demanded by a type above that is not ours", HabitsTest::isDemanded)))
                .because("a value is made complete and stays as it is; what changes an aggregate is an event")
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    @Test
    @DisplayName("No rule, message or read model asks the machine for the time or for a number")
    void timeAndChance() {
        noClasses()
                .that(are(describe(
                        "part of a rule or a message",
                        type -> Stream.of(Part.API, Part.COMMAND, Part.PROOF, Part.SIMULATION, Part.VIEW)
                                .anyMatch(part -> part.has(type)))))
                .should()
                .accessTargetWhere(asksTheMachine())
                .because("time and chance come in as arguments, so that a draw can be tested and verified years later")
                .check(CLASSES);
    }

    @Test
    @DisplayName("Nothing writes past the log, except the greeting, the progress, the verification and tools")
    void standardStreams() {
        noClasses()
                .that()
                .doNotHaveFullyQualifiedName(StartGreeting.class.getName())
                .and()
                .doNotHaveFullyQualifiedName(ReportingMigrationStrategy.class.getName())
                .and()
                .doNotHaveFullyQualifiedName(Lottery.class.getName())
                .and(are(describe(
                        "not run by people from a terminal",
                        type -> !Part.of(type).isTool())))
                .should(ACCESS_STANDARD_STREAMS)
                .because("what is not in the log is seen by nobody; the greeting and the progress are for"
                        + " who has just started it, and what verifies an export is no server and prints what it found")
                .check(CLASSES);
    }

    @Test
    @DisplayName("No query goes over a bus")
    void queryBus() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.axonframework.queryhandling..")
                .because("an endpoint calls the class that answers, through SingleFlight")
                .check(CLASSES);
    }

    @Test
    @DisplayName("No class has a log of its own")
    void otherLogs() {
        noClasses()
                .should(USE_JAVA_UTIL_LOGGING)
                .because("there is one log, with one format and one place for its settings")
                .check(CLASSES);
    }

    /**
     * Returns whether a class or interface above demands the method, by its name and number of parameters. Then it is
     * no choice of ours.
     */
    private static boolean isDemanded(JavaMethod method) {
        JavaClass owner = method.getOwner();
        return Stream.concat(owner.getAllRawSuperclasses().stream(), owner.getAllRawInterfaces().stream())
                .filter(above -> !Production.isOurs(above))
                .flatMap(above -> above.getMethods().stream())
                .anyMatch(demanded -> demanded.getName().equals(method.getName())
                        && demanded.getRawParameterTypes().size()
                                == method.getRawParameterTypes().size());
    }

    /**
     * Describes the two ways to the machine's time and chance: to make a source of them, or to call a method that hides
     * such a source. A source that came in as an argument may be asked.
     */
    private static DescribedPredicate<JavaAccess<?>> asksTheMachine() {
        return describe(
                "asks the machine for time or chance",
                access -> access.getTarget() instanceof CodeUnitAccessTarget target
                        && (makesSource(target) || hidesSource(target)));
    }

    private static boolean makesSource(CodeUnitAccessTarget target) {
        JavaClass owner = target.getOwner();
        return (owner.isAssignableTo(InstantSource.class) || owner.isAssignableTo(RandomGenerator.class))
                && target.resolveMember().map(HabitsTest::isFactory).orElse(true);
    }

    private static boolean isFactory(JavaCodeUnit member) {
        return member.isConstructor() || member.getModifiers().contains(JavaModifier.STATIC);
    }

    private static boolean hidesSource(CodeUnitAccessTarget target) {
        JavaClass owner = target.getOwner();
        return switch (target.getName()) {
            case "now" -> owner.isAssignableTo(TemporalAccessor.class);
            case "currentTimeMillis", "nanoTime" -> owner.isEquivalentTo(System.class);
            case "random" -> owner.isEquivalentTo(Math.class) || owner.isEquivalentTo(StrictMath.class);
            case "randomUUID" -> owner.isEquivalentTo(UUID.class);
            case "shuffle" -> target.getRawParameterTypes().size() == 1;
            case JavaConstructor.CONSTRUCTOR_NAME ->
                owner.isEquivalentTo(Date.class)
                        && target.getRawParameterTypes().isEmpty();
            case "getInstance" -> owner.isAssignableTo(Calendar.class);
            default -> false;
        };
    }
}
