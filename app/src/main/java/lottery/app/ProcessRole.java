package lottery.app;

import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import lottery.security.CannotStartException;
import org.springframework.core.env.Environment;

/** A role of a process. A process of the same artifact can have one, several or all of them. */
enum ProcessRole {
    COMMAND,
    QUERY,
    SAGA;

    private static final String SETTING = "lottery.roles";

    static Set<ProcessRole> in(Environment environment) {
        String text = environment.getProperty(SETTING, "command,query,saga");
        return Stream.of(text.split(",", -1)).map(ProcessRole::named).collect(Collectors.toUnmodifiableSet());
    }

    private static ProcessRole named(String word) {
        return Stream.of(values())
                .filter(role -> role.word().equals(word.strip().toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(
                        () -> new CannotStartException(
                                "LOTTERY_ROLES has '" + word.strip() + "', which is not a role.",
                                "Set it to one or more of command, query and saga, separated by commas. By default a process has all."));
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
