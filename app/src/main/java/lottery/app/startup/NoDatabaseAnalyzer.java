package lottery.app.startup;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Says in one sentence that the database cannot be reached or refuses the login, instead of a stack trace. This is the
 * most common reason why a process does not start.
 */
final class NoDatabaseAnalyzer extends AbstractFailureAnalyzer<SQLException> {

    private static final String CANNOT_CONNECT = "08";
    private static final String NOT_LET_IN = "28";

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, SQLException cause) {
        String state = String.valueOf(cause.getSQLState());
        if (!state.startsWith(CANNOT_CONNECT) && !state.startsWith(NOT_LET_IN)) {
            return null;
        }
        return new FailureAnalysis(
                "PostgreSQL cannot be used: " + cause.getMessage(),
                "Check that the server runs. Check LOTTERY_POSTGRES_URL, LOTTERY_POSTGRES_USER, LOTTERY_POSTGRES_PASSWORD,"
                        + " LOTTERY_POSTGRES_OWNER and LOTTERY_POSTGRES_OWNER_PASSWORD.",
                cause);
    }
}
