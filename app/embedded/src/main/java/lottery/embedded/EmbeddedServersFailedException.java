package lottery.embedded;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.ExitCodeGenerator;

/** Reports that the embedded servers did not start. The message gives the reason in one sentence for the user. */
public final class EmbeddedServersFailedException extends RuntimeException implements ExitCodeGenerator {

    private static final long serialVersionUID = 1L;

    EmbeddedServersFailedException(String sentence) {
        this(sentence, null);
    }

    EmbeddedServersFailedException(String sentence, @Nullable Throwable cause) {
        super(sentence, cause);
    }

    /** Returns the exit status. Spring exits with it, so a script sees the failure even if other threads still run. */
    @Override
    public int getExitCode() {
        return 1;
    }
}
