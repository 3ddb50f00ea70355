package lottery.embedded;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggerConfiguration;
import org.springframework.boot.logging.LoggingSystem;

/** Limits the servers' loggers to warnings, unless another level is configured. */
final class QuietLoggers {

    private static final List<String> NAMES =
            List.of("kafka", "org.apache.kafka", "state.change.logger", "io.zonky.test.db.postgres", "redis.embedded");

    private QuietLoggers() {}

    static Map<String, Object> properties() {
        Map<String, Object> properties = new HashMap<>();
        NAMES.forEach(name -> properties.put("logging.level." + name, LogLevel.WARN.name()));
        return properties;
    }

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
