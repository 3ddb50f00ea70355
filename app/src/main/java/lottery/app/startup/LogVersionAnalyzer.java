package lottery.app.startup;

import lottery.store.log.LogVersion.LogVersionTooLowException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says that a newer version has used the database. */
final class LogVersionAnalyzer extends AbstractFailureAnalyzer<LogVersionTooLowException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, LogVersionTooLowException cause) {
        return new FailureAnalysis(
                String.valueOf(cause.getMessage()),
                "Start the newer version, or restore a backup from before its first start.",
                cause);
    }
}
