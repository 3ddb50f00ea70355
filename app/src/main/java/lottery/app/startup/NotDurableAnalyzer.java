package lottery.app.startup;

import lottery.store.connection.PostgresNotDurableException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says in one sentence because of which settings PostgreSQL may lose confirmed commits. */
final class NotDurableAnalyzer extends AbstractFailureAnalyzer<PostgresNotDurableException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, PostgresNotDurableException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                "Switch them on in PostgreSQL. LOTTERY_POSTGRES_UNSAFE=true starts the process all the same, for trials and"
                        + " for a file system that never writes half a page.",
                cause);
    }
}
