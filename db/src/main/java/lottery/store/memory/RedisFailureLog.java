package lottery.store.memory;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;

/**
 * Logs why Redis cannot be used: each cause once, until Redis works again. No line contains a password. It is
 * thread-safe.
 */
public final class RedisFailureLog {

    private static final Logger LOG = LoggerFactory.getLogger(RedisFailureLog.class);

    /** The most lines for one outage, even if the client reports more causes. */
    private static final int CAUSES_MAX = 10;

    private static final int LENGTH_MAX = 300;

    /** The user and the password in an address. */
    private static final Pattern CREDENTIALS = Pattern.compile("//[^/\\s]*@");

    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

    private final String use;
    private final Consumer<String> log;
    private final Set<String> told = new HashSet<>();

    /**
     * @param use what Redis is used for here. Each use has its own log, because one use may fail while another works
     */
    public RedisFailureLog(String use) {
        this(use, LOG::warn);
    }

    /** @param log receives each line */
    RedisFailureLog(String use, Consumer<String> log) {
        this.use = use;
        this.log = log;
    }

    /** Records that Redis has failed. */
    public synchronized void failed(Throwable failure) {
        String cause = causeOf(failure);
        if (told.size() < CAUSES_MAX && told.add(cause)) {
            log.accept("Redis cannot be used for " + use + ": " + cause);
        }
    }

    /** Records that Redis has answered. */
    public synchronized void answered() {
        told.clear();
    }

    private static String causeOf(Throwable failure) {
        Throwable cause = NestedExceptionUtils.getMostSpecificCause(failure);
        String text = "%s: %s".formatted(cause.getClass().getSimpleName(), cause.getMessage());
        String line =
                CONTROL.matcher(CREDENTIALS.matcher(text).replaceAll("//***@")).replaceAll(" ");
        return line.length() <= LENGTH_MAX ? line : line.substring(0, LENGTH_MAX);
    }
}
