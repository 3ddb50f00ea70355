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

    /** A part of the project. The parts that it may see define the direction of all dependencies. */
    enum Part {
        API("lottery.api"),
        STORE("lottery.store"),
        EMBEDDED("lottery.embedded"),
        /** The figures of the store have to use the store, which the checker beside them must not. */
        FIGURES("lottery.bench.store"),
        /** The load tool compares a lottery with bare SQL, and runs the checker on it. */
        LOAD("lottery.bench.load"),
        BENCH("lottery.bench"),
        VIEW("lottery.view"),
        MESSAGING("lottery.messaging"),
        FULFILMENT("lottery.fulfilment"),
        SAGA("lottery.saga"),
        CONSOLE("lottery.console"),
        PROOF("lottery.proof"),
        SIMULATION("lottery.simulation"),
        SECURITY("lottery.security"),
        IDENTITY("lottery.identity"),
        /**
         * Everything that is no other part, so that the rules bind a new feature of the command side that nobody has
         * listed.
         */
        COMMAND(ROOT),
        APP("lottery.app");

        private final String root;

        Part(String root) {
            this.root = root;
        }

        boolean has(JavaClass type) {
            return of(type) == this;
        }

        /** Returns whether people at a terminal and tests use the part, and the product does not. */
        boolean isTool() {
            return this == EMBEDDED || this == FIGURES || this == LOAD || this == BENCH;
        }

        boolean maySee(Part other) {
            return other == this
                    || switch (this) {
                        case API, STORE, EMBEDDED, CONSOLE -> false;
                        case VIEW, MESSAGING -> other == API || other == STORE;
                        case COMMAND, FULFILMENT, SAGA -> other == API || other == STORE || other == MESSAGING;
                        case PROOF, SIMULATION, SECURITY -> other == API || other == STORE || other == COMMAND;
                        case IDENTITY -> other == API || other == STORE || other == SECURITY;
                        case FIGURES -> other == STORE || other == EMBEDDED;
                        case LOAD -> other == FIGURES || other == BENCH;
                        case BENCH -> other == EMBEDDED;
                        // A lottery may leave identity out.
                        case APP -> !other.isTool() && other != IDENTITY;
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
