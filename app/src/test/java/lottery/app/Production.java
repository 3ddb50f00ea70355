package lottery.app;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.stream.Stream;

/** Every class that is no test, read once for all rules about them. */
final class Production {

    static final String ROOT = "lottery";

    static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(ROOT);

    /** A part of the house; which other parts it may see is the direction of all dependencies. */
    enum Part {
        API("lottery.api"),
        STORE("lottery.store"),
        EMBEDDED("lottery.embedded"),
        /** What measures the store has to use it, which the checker beside it must not. */
        FIGURES("lottery.bench.store"),
        /** The load tool compares a lottery with bare SQL, and asks the checker about it. */
        LOAD("lottery.bench.load"),
        BENCH("lottery.bench"),
        VIEW("lottery.view"),
        MESSAGING("lottery.messaging"),
        FULFILMENT("lottery.fulfilment"),
        JOURNEY("lottery.journey"),
        /** Whatever is no other part: a new feature that decides is bound by these rules without being listed. */
        COMMAND(ROOT),
        APP("lottery.app");

        private final String root;

        Part(String root) {
            this.root = root;
        }

        boolean has(JavaClass type) {
            return of(type) == this;
        }

        /** Used by people from a terminal and by tests, not by the product. */
        boolean isTool() {
            return this == EMBEDDED || this == FIGURES || this == LOAD || this == BENCH;
        }

        boolean maySee(Part other) {
            return other == this
                    || switch (this) {
                        case API, STORE, EMBEDDED -> false;
                        case VIEW, MESSAGING, COMMAND -> other == API || other == STORE;
                        case FULFILMENT, JOURNEY -> other == API || other == STORE || other == MESSAGING;
                        case FIGURES -> other == STORE || other == EMBEDDED;
                        case LOAD -> other == FIGURES || other == BENCH;
                        case BENCH -> other == EMBEDDED;
                        case APP -> !other.isTool();
                    };
        }

        static Part of(JavaClass type) {
            return Stream.of(values())
                    .filter(part -> part != COMMAND && isWithin(part.root, type))
                    .findFirst()
                    .orElse(COMMAND);
        }
    }

    private Production() {}

    static boolean isOurs(JavaClass type) {
        return isWithin(ROOT, type);
    }

    private static boolean isWithin(String root, JavaClass type) {
        return (type.getPackageName() + ".").startsWith(root + ".");
    }
}
