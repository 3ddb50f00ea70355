package lottery.app;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.conditions.ArchConditions.have;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.all;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static lottery.app.Production.CLASSES;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.domain.properties.HasModifiers;
import com.tngtech.archunit.lang.AbstractClassesTransformer;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ClassesTransformer;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import lottery.CommandTargets;
import lottery.api.Command;
import lottery.api.Event;
import lottery.app.Production.Part;
import lottery.store.NamedEventSerializer;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.axonframework.modelling.saga.StartSaga;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.web.bind.annotation.RestController;

@DisplayName("The structure of the code")
class StructureTest {

    private static final Set<String> BANNED_PACKAGES =
            Set.of("config", "util", "common", "impl", "dto", "vo", "po", "service", "manager", "helper", "model");

    private static final Pattern NOTHING_SAID =
            Pattern.compile(".+(Command|Event|DTO|Dto|Impl|Helper|Util|Utils|Manager|Service)");

    /** Words for which the raffle and the field have others; no name may bring them back. */
    private static final Pattern OLD_WORDS = Pattern.compile(
            "(?<!Dead)Letters?(?![a-z])|Campaign|Shel(f|ves)|Slots?(?![a-z])|Courier|Errand|Convoy|Mailbox|Newsroom");

    private static final Pattern SHOUTING = Pattern.compile("I[A-Z].*");

    private static final int TYPES_PER_PACKAGE_MAX = 25;
    private static final int LINES_PER_FILE_MAX = 400;

    /** The packages and files that are still larger, each with the reason. */
    private static final Map<String, String> LARGER = Map.of();

    @Test
    @DisplayName("The rules see every part, so that none of them holds for want of classes")
    void everyPart() {
        assertThat(CLASSES.stream().map(Part::of).collect(Collectors.toSet())).contains(Part.values());
    }

    @Test
    @DisplayName("Packages are named after what is in a raffle, not after kinds of classes")
    void packageNames() {
        all(packages())
                .should(notBeNamed(BANNED_PACKAGES))
                .because("such a name says nothing about raffles and soon holds everything")
                .check(CLASSES);
    }

    @Test
    @DisplayName("No package has more than 25 types")
    void packageSizes() {
        Map<String, Long> sizes = CLASSES.stream()
                .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));
        assertThat(sizes).hasSizeGreaterThan(30);
        sizes.keySet().removeAll(LARGER.keySet());
        assertThat(sizes.entrySet())
                .allSatisfy(size ->
                        assertThat(size.getValue()).as(size.getKey()).isLessThanOrEqualTo(TYPES_PER_PACKAGE_MAX));
    }

    @Test
    @DisplayName("No source file has more than 400 lines")
    void fileSizes() throws IOException {
        List<Path> files = PackageImports.sources()
                .filter(file ->
                        !LARGER.containsKey(file.getFileName().toString().replace(".java", "")))
                .toList();
        assertThat(files).hasSizeGreaterThan(500);
        for (Path file : files) {
            assertThat(Files.readAllLines(file)).as(file.toString()).hasSizeLessThanOrEqualTo(LINES_PER_FILE_MAX);
        }
    }

    @Test
    @DisplayName("Dependencies point one way")
    void directions() {
        classes()
                .should(seeOnlyWhatTheirPartMaySee())
                .because("sides that know each other only by messages can be scaled, replaced and understood alone")
                .check(CLASSES);
    }

    @Test
    @DisplayName("The core of the store knows no Axon, so that another framework can use the log, too")
    void coreOfTheStore() {
        String[] core = Stream.of("log", "commit", "token", "move", "connection", "clock", "loop", "memory", "vault")
                .map(name -> "lottery.store." + name)
                .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAnyPackage(core)
                .should()
                .dependOnClassesThat(are(describe(
                        "of Axon, or of packages of the store that may use it",
                        type -> type.getPackageName().startsWith("org.axonframework")
                                || (Part.STORE.has(type) && !Set.of(core).contains(type.getPackageName())))))
                .because("a log is written, followed and read without a framework")
                .check(CLASSES);
    }

    @Test
    @DisplayName("No packages need each other, except those of the messages")
    void cycles() {
        slices().assignedFrom(packagesWithBehaviour())
                .should()
                .beFreeOfCycles()
                .because("packages in a circle are one package; a message alone may tell of another family's,"
                        + " as an account does of the order that a chance was spent on, and the order of the account")
                .check(CLASSES);
    }

    /** A constant of another package is copied into a class, so that only the source shows where it comes from. */
    @Test
    @DisplayName("No packages import each other, except those of the messages")
    void cyclesByImports() {
        Map<String, Set<String>> imports = PackageImports.ofMainCode();
        assertThat(imports).hasSizeGreaterThan(30);
        assertThat(PackageImports.cycleIn(imports)).isEmpty();
    }

    @Test
    @DisplayName("A class that is not used outside its package is not public")
    void visibility() {
        classes()
                .that(are(describe("public", StructureTest::isVisible)))
                .and(are(describe("no messages, which are there for everybody", type -> !Part.API.has(type))))
                .and(are(describe(
                        "not there for tests and people alone",
                        type -> !Part.of(type).isTool())))
                .and(are(describe("not offered by the store", type -> !Part.STORE.has(type))))
                .and(are(describe("not demanded by a framework", type -> !isDemandedPublic(type))))
                .and(are(describe("not taken by tests elsewhere", type -> !isTakenByTests(type))))
                .and(are(describe(
                        "without constants, whose use leaves no trace in a class", type -> !hasConstants(type))))
                .should(beUsedOutsideOfTheirPackage())
                .because("what is public is a promise, and each one costs whoever wants to change it")
                .check(CLASSES);
    }

    @Test
    @DisplayName("Everything that the store offers is in its manual, because others may build on it, too")
    void offeredByTheStore() throws IOException {
        String manual = Files.readString(Path.of("../db/README.md"));
        assertThat(CLASSES.stream()
                        .filter(type -> Part.STORE.has(type) && isPublic(type) && type.isTopLevelClass())
                        .map(JavaClass::getSimpleName))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(manual).contains("`" + name));
    }

    @Test
    @DisplayName("A name says what something is, not which kind of class")
    void classNames() {
        noClasses()
                .that(are(describe("no families of messages", type -> !isFamilyOfMessages(type))))
                .should(have(simpleName(NOTHING_SAID)))
                .because("commands are imperatives, events are in the past tense, and the other suffixes say nothing")
                .check(CLASSES);
    }

    @Test
    @DisplayName("The name of each exception ends in Exception")
    void exceptionNames() {
        classes()
                .that()
                .areAssignableTo(Throwable.class)
                .should()
                .haveSimpleNameEndingWith("Exception")
                .because("a reader of a signature sees that it is thrown, and not returned")
                .check(CLASSES);
    }

    @Test
    @DisplayName("A name that ends in Check is that of a check at the start")
    void checkNames() {
        classes()
                .that()
                .haveSimpleNameEndingWith("Check")
                .should()
                .haveSimpleNameEndingWith("StartCheck")
                .because("a validator, a lookup and a guard have names that say which of them they are")
                .check(CLASSES);
    }

    @Test
    @DisplayName("No nested type has the name of a top-level type")
    void nestedNames() {
        Set<String> topLevel = CLASSES.stream()
                .filter(JavaClass::isTopLevelClass)
                .map(JavaClass::getSimpleName)
                .collect(Collectors.toSet());
        noClasses()
                .that(are(describe("nested", JavaClass::isMemberClass)))
                .should(have(describe("the name of a top-level type", type -> topLevel.contains(type.getSimpleName()))))
                .because("a search for the name must find one type")
                .check(CLASSES);
    }

    @Test
    @DisplayName("A name has the words of the raffle and of the field: activity, stock, unit, message")
    void vocabulary() {
        noClasses()
                .should(have(describe(
                        "a word that has another one",
                        type -> OLD_WORDS.matcher(type.getSimpleName()).find())))
                .because("two words for one thing are taken for two things")
                .check(CLASSES);
    }

    @Test
    @DisplayName("No two types have the same simple name, so that each name can be searched for")
    void uniqueNames() {
        Map<String, List<String>> byName = CLASSES.stream()
                .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
                .collect(Collectors.groupingBy(
                        JavaClass::getSimpleName, Collectors.mapping(JavaClass::getName, Collectors.toList())));
        assertThat(byName.values())
                .isNotEmpty()
                .allSatisfy(types -> assertThat(types).hasSize(1));
    }

    @Test
    @DisplayName("An interface has the name of what it is, without an I before it")
    void interfaceNames() {
        noClasses()
                .that()
                .areInterfaces()
                .should(have(simpleName(SHOUTING)))
                .because("whoever uses it need not know that it is an interface")
                .check(CLASSES);
    }

    @Test
    @DisplayName("Nothing is null unless it says so")
    void nullMarked() {
        all(packages())
                .should(beNullMarked())
                .because("the compiler checks for nulls in marked packages only")
                .check(CLASSES);
    }

    @Test
    @DisplayName("Everything that answers over REST is an endpoint or a problem page, and is package-private")
    void endpoints() {
        classes()
                .that()
                .areAnnotatedWith(RestController.class)
                .should()
                .haveSimpleNameEndingWith("Endpoint")
                .orShould()
                .haveSimpleName("ProblemPages")
                .andShould()
                .bePackagePrivate()
                .because("an endpoint stands beside its rule, and is called by HTTP and nobody else")
                .check(CLASSES);
    }

    private static DescribedPredicate<JavaClass> simpleName(Pattern pattern) {
        return describe(
                "a simple name that matches " + pattern,
                type -> pattern.matcher(type.getSimpleName()).matches());
    }

    private static ClassesTransformer<JavaPackage> packages() {
        return new AbstractClassesTransformer<>("packages") {
            @Override
            public Iterable<JavaPackage> doTransform(JavaClasses classes) {
                return classes.stream().map(JavaClass::getPackage).collect(Collectors.toSet());
            }
        };
    }

    private static ArchCondition<JavaPackage> notBeNamed(Set<String> banned) {
        return condition("not be named any of " + banned.stream().sorted().toList(), (subject, events) -> {
            if (Stream.of(subject.getName().split("\\.", -1)).anyMatch(banned::contains)) {
                violated(events, subject, subject.getName() + " has a name that is banned");
            }
        });
    }

    private static ArchCondition<JavaPackage> beNullMarked() {
        return condition("have a package-info that is @NullMarked", (subject, events) -> {
            if (!subject.tryGetPackageInfo()
                    .map(info -> info.isAnnotatedWith(NullMarked.class))
                    .orElse(false)) {
                violated(events, subject, subject.getName() + " has no package-info that is @NullMarked");
            }
        });
    }

    private static ArchCondition<JavaClass> seeOnlyWhatTheirPartMaySee() {
        return condition("see only what their part of the house may see", (type, events) -> {
            Part part = Part.of(type);
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                JavaClass target = dependency.getTargetClass().getBaseComponentType();
                if (Production.isOurs(target) && !part.maySee(Part.of(target))) {
                    violated(
                            events,
                            type,
                            part + " must not see " + Part.of(target) + ": " + dependency.getDescription());
                }
            }
        });
    }

    private static SliceAssignment packagesWithBehaviour() {
        return new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass type) {
                return Part.API.has(type) ? SliceIdentifier.ignore() : SliceIdentifier.of(type.getPackageName());
            }

            @Override
            public String getDescription() {
                return "packages other than those of the messages";
            }
        };
    }

    private static ArchCondition<JavaClass> beUsedOutsideOfTheirPackage() {
        return condition("be used outside of their package, or be part of what is", (type, events) -> {
            if (!isUsedOutside(type) && !isPartOfSomethingUsedOutside(type)) {
                violated(events, type, type.getName() + " is public, and only its own package uses it");
            }
        });
    }

    private static boolean isUsedOutside(JavaClass type) {
        return type.getDirectDependenciesToSelf().stream()
                .anyMatch(dependency ->
                        !dependency.getOriginClass().getPackageName().equals(type.getPackageName()));
    }

    /**
     * Returns whether a public method outside returns the type. Its caller may read all of the value, even if nobody
     * does so now.
     */
    private static boolean isPartOfSomethingUsedOutside(JavaClass type) {
        return type.getMethodsWithReturnTypeOfSelf().stream()
                .filter(StructureTest::isPublic)
                .anyMatch(method -> isPublic(method.getOwner()) && isUsedOutside(method.getOwner()));
    }

    /**
     * Returns whether a class can be seen. A class within an interface is always declared public, and is hidden where
     * the interface is.
     */
    private static boolean isVisible(JavaClass type) {
        return isPublic(type)
                && type.getEnclosingClass().map(StructureTest::isVisible).orElse(true);
    }

    private static boolean isPublic(HasModifiers subject) {
        return subject.getModifiers().contains(JavaModifier.PUBLIC);
    }

    private static boolean hasConstants(JavaClass type) {
        return type.getFields().stream()
                .filter(field -> isPublic(field)
                        && field.getModifiers().contains(JavaModifier.STATIC)
                        && field.getModifiers().contains(JavaModifier.FINAL))
                .map(JavaField::getRawType)
                .anyMatch(constant -> constant.isPrimitive() || constant.isEquivalentTo(String.class));
    }

    /**
     * Returns whether a framework needs the class to be public: Axon creates sagas itself, and the virtual machine
     * needs a public main class. Kafka creates its interceptors itself.
     */
    private static boolean isDemandedPublic(JavaClass type) {
        return type.isAssignableTo(ConsumerInterceptor.class)
                || type.getMethods().stream()
                        .anyMatch(method -> method.isAnnotatedWith(StartSaga.class)
                                || isMain(method.getName(), method.getRawParameterTypes()));
    }

    /**
     * Returns whether tests of rules and messages use the class: they route commands and store events as the product
     * does.
     */
    private static boolean isTakenByTests(JavaClass type) {
        return type.isEquivalentTo(CommandTargets.class) || type.isEquivalentTo(NamedEventSerializer.class);
    }

    private static boolean isMain(String name, List<JavaClass> parameters) {
        return name.equals("main")
                && parameters.size() == 1
                && parameters.getFirst().isEquivalentTo(String[].class);
    }

    /** Returns whether the type is a root of the messages, or a sealed interface below a root. */
    private static boolean isFamilyOfMessages(JavaClass type) {
        return Part.API.has(type)
                && type.isInterface()
                && (type.reflect().isSealed()
                        || type.isEquivalentTo(Command.class)
                        || type.isEquivalentTo(Event.class));
    }

    private interface ViolationFinder<T> {
        void of(T subject, ConditionEvents events);
    }

    private static <T> ArchCondition<T> condition(String description, ViolationFinder<T> check) {
        return new ArchCondition<>(description) {
            @Override
            public void check(T subject, ConditionEvents events) {
                check.of(subject, events);
            }
        };
    }

    private static void violated(ConditionEvents events, Object subject, String message) {
        events.add(SimpleConditionEvent.violated(subject, message));
    }
}
