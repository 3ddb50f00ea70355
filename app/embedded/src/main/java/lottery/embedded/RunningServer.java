package lottery.embedded;

import java.util.Map;

/** One running server. */
sealed interface RunningServer permits PostgresServer, RedisServer, KafkaBroker {

    /** Returns the address of the server, as settings of the application. */
    Map<String, String> properties();

    /** Stops the server. A process that does not end within its time limit is killed. */
    void stop();
}
