package lottery.embedded;

import java.util.List;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggerConfiguration;
import org.springframework.boot.logging.LoggingSystem;

/**
 * Limits the servers' loggers to warnings in a process without Spring, unless another level is configured. With Spring,
 * logback-spring.xml does the same.
 */
final class QuietLoggers {

    private static final List<String> NAMES =
            List.of("kafka", "org.apache.kafka", "state.change.logger", "io.zonky.test.db.postgres", "redis.embedded");

    private QuietLoggers() {}

    /** Sets the levels in a process without Spring. Such a process does not read these settings. */
    static void quiet() {
        LoggingSystem logging = LoggingSystem.get(QuietLoggers.class.getClassLoader());
        for (String name : NAMES) {
            LoggerConfiguration logger = logging.getLoggerConfiguration(name);
            if (logger == null || logger.getConfiguredLevel() == null) {
                logging.setLogLevel(name, LogLevel.WARN);
            }
        }
    }
}
