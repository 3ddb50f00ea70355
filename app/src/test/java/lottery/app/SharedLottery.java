package lottery.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A process of the lottery for several test classes, because a start costs more than most tests.
 *
 * <p>The process starts at its first use. It ends when a test opens another process, because both would share the work.
 * If no test does, it ends with the process of the tests.
 */
final class SharedLottery {

    private static @Nullable RunningLottery running;

    private final boolean isBehindGateway;
    private final Map<String, String> settings;

    private SharedLottery(boolean isBehindGateway, Map<String, String> settings) {
        this.isBehindGateway = isBehindGateway;
        this.settings = settings;
    }

    /**
     * Knows its callers by tokens and accounts.
     *
     * @param settings the settings that differ from those of all lotteries with tokens and accounts
     */
    static SharedLottery withIdentity(Map<String, String> settings) {
        return new SharedLottery(false, settings);
    }

    /** Has a gateway in front, which knows the callers: each caller may do everything. */
    static SharedLottery behindGateway() {
        return new SharedLottery(true, Map.of());
    }

    LotteryProcess process() {
        return running().process;
    }

    TokenIssuer issuer() {
        return running().issuer;
    }

    private RunningLottery running() {
        synchronized (SharedLottery.class) {
            if (running == null || running.owner != this) {
                running = started();
            }
            return running;
        }
    }

    private RunningLottery started() {
        try {
            TokenIssuer issuer = new TokenIssuer();
            try {
                Map<String, String> environment =
                        isBehindGateway ? Servers.environmentOfTrial() : Servers.environmentOfIdentity(issuer);
                environment.putAll(settings);
                return new RunningLottery(this, issuer, LotteryProcess.open(environment));
            } catch (IOException | RuntimeException | Error failed) {
                issuer.close();
                throw failed;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the shared process, if one runs. */
    static synchronized void end() {
        if (running != null) {
            RunningLottery ending = running;
            running = null;
            try {
                ending.process.close();
            } finally {
                ending.issuer.close();
            }
        }
    }

    private record RunningLottery(SharedLottery owner, TokenIssuer issuer, LotteryProcess process) {}
}
