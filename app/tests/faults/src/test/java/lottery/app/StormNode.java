package lottery.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * A place at which one process of the lottery runs, with ways of its own to PostgreSQL and Redis. A process may follow
 * another.
 */
final class StormNode implements AutoCloseable {

    /** The applications of PostgreSQL's sessions begin with this. */
    static final String NAMES = "storm-";

    /** A process that starts while PostgreSQL or its way there is away ends, and is started again. */
    private static final int STARTS_MAX = 10;

    private final Map<String, String> environment;
    private final Path jar;
    private final ServerLink toPostgres;
    private final ServerLink toRedis;
    private volatile LotteryProcess lottery;

    private StormNode(int number, Map<String, String> servers, Path jar, ServerLink toPostgres, ServerLink toRedis)
            throws IOException {
        this.environment = new HashMap<>(servers);
        this.environment.put("LOTTERY_POSTGRES_URL", toPostgres.postgresUrl(NAMES + number));
        this.environment.put("LOTTERY_REDIS_URL", "redis://" + toRedis.address());
        this.jar = jar;
        this.toPostgres = toPostgres;
        this.toRedis = toRedis;
        this.lottery = LotteryProcess.open(environment, jar);
    }

    /** @param redis host and port */
    static StormNode open(int number, Map<String, String> servers, String redis, Path jar) throws IOException {
        ServerLink toPostgres = ServerLink.toPostgres();
        ServerLink toRedis = ServerLink.open(redis);
        try {
            return new StormNode(number, servers, jar, toPostgres, toRedis);
        } catch (IOException | RuntimeException | AssertionError e) {
            toPostgres.close();
            toRedis.close();
            throw e;
        }
    }

    /** Returns the newest process, which may be dead. */
    LotteryProcess lottery() {
        return lottery;
    }

    ServerLink toPostgres() {
        return toPostgres;
    }

    ServerLink toRedis() {
        return toRedis;
    }

    /** Starts a process in place of one that has ended, as often as it takes. */
    void start() throws IOException {
        for (int start = 1; ; start++) {
            try {
                lottery = LotteryProcess.open(environment, jar);
                return;
            } catch (RuntimeException | AssertionError e) {
                if (start == STARTS_MAX) {
                    throw e;
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        toPostgres.goOn();
        toRedis.goOn();
        lottery.goOn();
        // The links are closed also if the process has ended by itself.
        try (toPostgres;
                toRedis) {
            lottery.close();
        }
    }
}
