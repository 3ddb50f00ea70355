package lottery.app;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Reads what the application gets from compose.yaml: its environment, with the addresses of the servers that run here,
 * and its secret files.
 */
final class ComposeEnvironment {

    static final Path FILE = Path.of("../compose.yaml");

    /** The statements that create the database and its roles. */
    static final Path ROLES = Path.of("../db/roles.sql");

    /** Where containers find their secrets. */
    static final String SECRETS = "/run/secrets/";

    /** A variable, or a dollar that compose passes on. */
    private static final Pattern VARIABLE = Pattern.compile("\\$\\$|\\$\\{(\\w+)(?::?[-?]([^}]*))?}");

    private ComposeEnvironment() {}

    /**
     * Returns the environment.
     *
     * @param addresses the addresses here by those that compose knows, {@code postgres:5432} and the like
     * @param callers the variables that the caller of compose has set
     */
    static Map<String, String> with(Map<String, String> addresses, Map<String, String> callers) throws IOException {
        Map<String, String> environment = new LinkedHashMap<>();
        in(app(), "environment").forEach((name, value) -> {
            String here = filledIn(String.valueOf(value), callers);
            for (Map.Entry<String, String> address : addresses.entrySet()) {
                here = here.replace(address.getKey(), address.getValue());
            }
            environment.put(String.valueOf(name), here);
        });
        return environment;
    }

    /** Returns the names of the secret files that the application gets. */
    static Set<String> secrets() throws IOException {
        Set<String> names = new LinkedHashSet<>();
        ((List<?>) Objects.requireNonNull(app().get("secrets"))).forEach(name -> names.add(String.valueOf(name)));
        return names;
    }

    private static Map<?, ?> app() throws IOException {
        return in(in(compose(), "services"), "app");
    }

    static Map<?, ?> compose() throws IOException {
        try (Reader reader = Files.newBufferedReader(FILE)) {
            return new Yaml(new SafeConstructor(new LoaderOptions())).load(reader);
        }
    }

    static Map<?, ?> in(Map<?, ?> part, String name) {
        return (Map<?, ?>) Objects.requireNonNull(part.get(name), name);
    }

    private static String filledIn(String value, Map<String, String> callers) {
        return VARIABLE.matcher(value).replaceAll(found -> Matcher.quoteReplacement(valueOf(found, callers)));
    }

    private static String valueOf(MatchResult found, Map<String, String> callers) {
        if (found.group(1) == null) {
            return "$";
        }
        return callers.getOrDefault(found.group(1), found.group(2) == null ? "" : found.group(2));
    }
}
