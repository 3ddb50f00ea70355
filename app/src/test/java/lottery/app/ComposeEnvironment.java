package lottery.app;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Reads the environment of the application from compose.yaml, with the addresses of the servers that run here. */
final class ComposeEnvironment {

    private static final Path FILE = Path.of("../compose.yaml");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)(?::?[-?]([^}]*))?}");

    private ComposeEnvironment() {}

    /**
     * Returns the environment.
     *
     * @param addresses the addresses here by those that compose knows, {@code postgres:5432} and the like
     * @param callers the variables that the caller of compose has set
     */
    static Map<String, String> with(Map<String, String> addresses, Map<String, String> callers) throws IOException {
        Map<String, String> environment = new LinkedHashMap<>();
        declared().forEach((name, value) -> {
            String here = filledIn(value, callers);
            for (Map.Entry<String, String> address : addresses.entrySet()) {
                here = here.replace(address.getKey(), address.getValue());
            }
            environment.put(name, here);
        });
        return environment;
    }

    private static Map<String, String> declared() throws IOException {
        try (Reader reader = Files.newBufferedReader(FILE)) {
            Map<?, ?> compose = new Yaml(new SafeConstructor(new LoaderOptions())).load(reader);
            Map<String, String> declared = new LinkedHashMap<>();
            in(in(in(compose, "services"), "app"), "environment")
                    .forEach((name, value) -> declared.put(String.valueOf(name), String.valueOf(value)));
            return declared;
        }
    }

    private static Map<?, ?> in(Map<?, ?> part, String name) {
        return (Map<?, ?>) Objects.requireNonNull(part.get(name), name);
    }

    private static String filledIn(String value, Map<String, String> callers) {
        return VARIABLE.matcher(value)
                .replaceAll(variable -> Matcher.quoteReplacement(
                        callers.getOrDefault(variable.group(1), variable.group(2) == null ? "" : variable.group(2))));
    }
}
