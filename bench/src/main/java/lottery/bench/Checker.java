package lottery.bench;

import java.io.PrintStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import lottery.bench.invariant.Invariants;
import lottery.bench.invariant.Moment;

/**
 * Reads the event table and the read models from outside and says which invariants hold. It shares no code with the
 * lottery: what both get wrong alike, neither would notice.
 *
 * <p>Events are read once, in global order, a bounded number at a time. What has to be remembered of them is kept in
 * memory, for each stream, account, draw and award, and so are the rows of the read models: memory grows with the
 * history, and a bound for it is still to come.
 */
public final class Checker {

    private static final int SOUND = 0;
    private static final int VIOLATED = 1;
    private static final int NOT_CHECKED = 2;

    private static final String USAGE = """
            Checks the invariants of a lottery by its PostgreSQL.
              --url=jdbc:postgresql://host:port/database   or LOTTERY_POSTGRES_URL
              --user=name                                  or LOTTERY_POSTGRES_USER
              --password=...                               or LOTTERY_POSTGRES_PASSWORD, which nobody else on the machine sees
              --at-rest                                    nothing is under way: every award is answered, every read model is up to date
            Ends with 0 if all invariants hold, 1 if one is violated, 2 if it could not be checked.""";

    private Checker() {}

    public static void main(String[] arguments) {
        System.exit(run(arguments, System.getenv(), System.out));
    }

    static int run(String[] arguments, Map<String, String> environment, PrintStream out) {
        Options options;
        try {
            options = Options.of(arguments, environment);
        } catch (IllegalArgumentException misunderstood) {
            out.println(misunderstood.getMessage());
            out.println(USAGE);
            return NOT_CHECKED;
        }
        try {
            Report report = check(options.database(), options.moment());
            out.println(report.table());
            return report.isSound() ? SOUND : VIOLATED;
        } catch (SQLException unreadable) {
            out.println("The database could not be read: " + unreadable.getMessage());
            return NOT_CHECKED;
        }
    }

    /** Checks what the database has at this moment. */
    public static Report check(Database database, Moment moment) throws SQLException {
        try (Connection connection = database.connect()) {
            Report report = new Report(Invariants.check(connection, moment));
            connection.rollback();
            return report;
        }
    }

    private record Options(Database database, Moment moment) {

        private static final String AT_REST = "--at-rest";

        static Options of(String[] arguments, Map<String, String> environment) {
            Map<String, String> named = new HashMap<>();
            Moment moment = Moment.IN_FLIGHT;
            for (String argument : arguments) {
                int equals = argument.indexOf('=');
                if (argument.equals(AT_REST)) {
                    moment = Moment.AT_REST;
                } else if (argument.startsWith("--") && equals > 0) {
                    named.put(argument.substring(2, equals), argument.substring(equals + 1));
                } else {
                    throw new IllegalArgumentException("Not understood: " + argument);
                }
            }
            Database database = Database.of(named, environment);
            if (!named.isEmpty()) {
                throw new IllegalArgumentException("Not understood: --" + String.join(", --", named.keySet()));
            }
            return new Options(database, moment);
        }
    }
}
