package lottery.app.startup;

import lottery.security.CannotStartException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says in one sentence why the process did not start. */
final class CannotStartAnalyzer extends AbstractFailureAnalyzer<CannotStartException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, CannotStartException cause) {
        return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.remedy(), cause);
    }
}
