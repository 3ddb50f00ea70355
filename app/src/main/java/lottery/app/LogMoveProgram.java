package lottery.app;

import java.io.PrintStream;
import java.util.List;
import lottery.store.log.Log;
import lottery.store.move.LogMove;
import lottery.store.move.LogMoveRefusedException;
import lottery.store.move.OwnedDatabase;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.Environment;
import org.springframework.dao.DataAccessException;
import org.springframework.util.StringUtils;

/**
 * Moves a log to another PostgreSQL server: {@code java -jar lottery.jar move-log <log> <database>}. The program reads
 * the same settings as a process of the lottery, and works as the owner of the tables. The lottery runs meanwhile. A
 * program that was stopped is started again.
 */
final class LogMoveProgram {

    static final String NAME = "move-log";

    static final int DONE = 0;
    static final int REFUSED = 1;
    static final int WRONG_USE = 2;

    private static final String CANCEL = "--cancel";
    private static final String LOG = "0[0-9]|[1-9][0-9]?";

    private final PrintStream out;

    LogMoveProgram(PrintStream out) {
        this.out = out;
    }

    @Configuration(proxyBeanMethods = false)
    static class NoConfiguration {}

    static boolean isAskedFor(String... arguments) {
        return arguments.length > 0 && arguments[0].equals(NAME);
    }

    /** Moves the log, and returns the exit status of the program. */
    int run(List<String> arguments) {
        boolean isCancelled = arguments.size() == 3 && arguments.getLast().equals(CANCEL);
        boolean isComplete = arguments.size() == 2 || isCancelled;
        if (!isComplete
                || !arguments.getFirst().matches(LOG)
                || !arguments.get(1).startsWith("jdbc:postgresql:")) {
            out.println("""
                    Usage: java -jar lottery.jar move-log <log> <database> [--cancel]
                    such as move-log 02 jdbc:postgresql://b:5432/lottery, with the settings of the lottery in the environment""");
            return WRONG_USE;
        }
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(NoConfiguration.class)
                .web(WebApplicationType.NONE)
                .logStartupInfo(false)
                .properties("logging.level.org.flywaydb=warn")
                .run()) {
            LogMove move = move(context.getEnvironment(), Integer.parseInt(arguments.getFirst()), arguments.get(1));
            if (isCancelled) {
                move.cancel();
            } else {
                move.move();
            }
            return DONE;
        } catch (LogMoveRefusedException refused) {
            out.println(refused.getMessage());
            return REFUSED;
        } catch (DataAccessException failure) {
            out.println("The command was interrupted: %s. Repeat it, and it goes on."
                    .formatted(
                            NestedExceptionUtils.getMostSpecificCause(failure).getMessage()));
            return REFUSED;
        }
    }

    private LogMove move(Environment settings, int log, String target) {
        String prefix = "lottery.log." + Log.nameOf(log) + ".";
        String homeUrl = settings.getRequiredProperty("lottery.postgres.url");
        return new LogMove(
                log,
                owned(homeUrl, "lottery.postgres.", settings),
                owned(settings.getProperty(prefix + "url", homeUrl), prefix, settings),
                owned(target, prefix, settings),
                setting("user", prefix, settings),
                line -> {
                    out.println(line);
                    out.flush();
                });
    }

    /** @param prefix of the settings of the role, if it owns the tables, too */
    private static OwnedDatabase owned(String url, String prefix, Environment settings) {
        return StringUtils.hasText(settings.getProperty("lottery.postgres.owner"))
                ? new OwnedDatabase(
                        url,
                        settings.getProperty("lottery.postgres.owner", ""),
                        settings.getProperty("lottery.postgres.owner-password", ""))
                : new OwnedDatabase(url, setting("user", prefix, settings), setting("password", prefix, settings));
    }

    private static String setting(String name, String prefix, Environment settings) {
        return settings.getProperty(prefix + name, settings.getProperty("lottery.postgres." + name, ""));
    }
}
