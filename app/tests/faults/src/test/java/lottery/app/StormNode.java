package lottery.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * A place at which one process of the lottery runs, with a way of its own to PostgreSQL. A process may follow another.
 */
final class StormNode implements AutoCloseable {

    /** The applications of PostgreSQL's sessions begin with this. */
    static final String NAMES = "storm-";

    /** A process that starts while PostgreSQL or its way there is away ends, and is started again. */
    private static final int STARTS_MAX = 10;

    private final Map<String, String> environment;
    private final Path jar;
    private final PostgresLink link;
    private volatile LotteryProcess lottery;

    private StormNode(Map<String, String> environment, Path jar, PostgresLink link, LotteryProcess lottery) {
        this.environment = environment;
        this.jar = jar;
        this.link = link;
        this.lottery = lottery;
    }

    static StormNode open(int number, Map<String, String> servers, Path jar) throws IOException {
        PostgresLink link = PostgresLink.open();
        try {
            Map<String, String> environment = new HashMap<>(servers);
            environment.put("LOTTERY_POSTGRES_URL", link.url(NAMES + number));
            return new StormNode(environment, jar, link, LotteryProcess.open(environment, jar));
        } catch (IOException | RuntimeException | AssertionError e) {
            link.close();
            throw e;
        }
    }

    /** Returns the newest process, which may be dead. */
    LotteryProcess lottery() {
        return lottery;
    }

    PostgresLink link() {
        return link;
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
        link.goOn();
        lottery.goOn();
        lottery.close();
        link.close();
    }
}
