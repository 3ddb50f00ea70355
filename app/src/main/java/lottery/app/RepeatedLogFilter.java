package lottery.app;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.helpers.MessageFormatter;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.stereotype.Component;

/**
 * Drops a warning of a Kafka or Redis client if this or another client has just logged the same text with the same
 * cause. If a server is away or a password is wrong, each of two dozen clients logs the same warning at each attempt to
 * connect. Errors of consumers are never dropped, except refused logins, because an error may mean that a consumer has
 * ended.
 */
@Component
final class RepeatedLogFilter extends TurboFilter implements InitializingBean, DisposableBean {

    private static final Duration SILENCE = Duration.ofMinutes(10);
    private static final int LINES_MAX = 1_000;

    private static final String CONSUMERS = "org.springframework.kafka.listener.KafkaMessageListenerContainer";
    private static final List<String> LOGGERS =
            List.of("org.apache.kafka.clients.", CONSUMERS, "io.lettuce.core.protocol.");

    /** The beginning of the error of a consumer that is refused and tries again. */
    private static final String REFUSED = "Authentication/Authorization Exception, retrying";

    private static final int CAUSES_MAX = 50;

    /** The name of the client, which precedes the text of the message. */
    private static final Pattern CLIENT = Pattern.compile("^\\[[^]]*] ");

    private final Cache<String, Boolean> lines = Caffeine.newBuilder()
            .maximumSize(LINES_MAX)
            .expireAfterWrite(SILENCE)
            .build();

    @Override
    public FilterReply decide(
            @Nullable Marker marker,
            Logger logger,
            Level level,
            @Nullable String format,
            Object @Nullable [] arguments,
            @Nullable Throwable failure) {
        if (!level.isGreaterOrEqual(Level.WARN) || format == null || !isOfAClient(logger.getName())) {
            return FilterReply.NEUTRAL;
        }
        String line = MessageFormatter.arrayFormat(CLIENT.matcher(format).replaceFirst(""), arguments)
                .getMessage();
        if (level.isGreaterOrEqual(Level.ERROR)
                && logger.getName().startsWith(CONSUMERS)
                && !line.startsWith(REFUSED)) {
            return FilterReply.NEUTRAL;
        }
        String key = logger.getName() + line + rootCauseOf(failure);
        boolean isNew = lines.asMap().putIfAbsent(key, true) == null;
        return isNew ? FilterReply.NEUTRAL : FilterReply.DENY;
    }

    private static String rootCauseOf(@Nullable Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
                .limit(CAUSES_MAX)
                .reduce((_, cause) -> cause)
                .map(Throwable::toString)
                .orElse("");
    }

    private static boolean isOfAClient(String logger) {
        return LOGGERS.stream().anyMatch(logger::startsWith);
    }

    @Override
    public void afterPropertiesSet() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            start();
            context.addTurboFilter(this);
        }
    }

    @Override
    public void destroy() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.getTurboFilterList().remove(this);
            stop();
        }
    }
}
