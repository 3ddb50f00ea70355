package lottery.embedded;

import java.util.Map;

/** One running server. */
sealed interface RunningServer permits PostgresServer, RedisServer, KafkaBroker {

    /** Its address, in the words of the application's settings. */
    Map<String, String> properties();

    /** Stops it within a time limit; what does not stop by itself is killed. */
    void stop();
}
