package lottery.embedded;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.ExitCodeGenerator;

/**
 * The embedded servers did not start, for the reason that the message gives in one sentence to whoever asked for them.
 */
public final class ServersRefused extends RuntimeException implements ExitCodeGenerator {

    private static final long serialVersionUID = 1L;

    ServersRefused(String sentence) {
        this(sentence, null);
    }

    ServersRefused(String sentence, @Nullable Throwable cause) {
        super(sentence, cause);
    }

    /** Spring exits with it, so that a script sees the failure, whatever threads are still around. */
    @Override
    public int getExitCode() {
        return 1;
    }
}
