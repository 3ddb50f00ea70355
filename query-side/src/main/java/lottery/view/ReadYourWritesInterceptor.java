package lottery.view;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.store.log.Log;
import lottery.store.log.LogPosition;
import lottery.store.log.Logs;
import lottery.store.processing.ProcessorPositionAwaiter;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.http.HttpMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Lets a caller read its own writes. A query with {@code ?after=<position>} waits until the read models that answer it
 * have reached that position.
 */
final class ReadYourWritesInterceptor implements HandlerInterceptor {

    static final String AFTER = "after";

    private static final Duration WAIT_MAX = Duration.ofSeconds(2);

    private final ProcessorPositionAwaiter positionAwaiter;
    private final Logs logs;
    private final ReadModelRegistry all;
    private final Map<Class<?>, Collection<String>> known = new ConcurrentHashMap<>();

    ReadYourWritesInterceptor(ProcessorPositionAwaiter positionAwaiter, Logs logs, ReadModelRegistry all) {
        this.positionAwaiter = positionAwaiter;
        this.logs = logs;
        this.all = all;
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        String[] after = request.getParameterValues(AFTER);
        if (after != null
                && HttpMethod.GET.matches(request.getMethod())
                && handler instanceof HandlerMethod method
                // Endpoints of other sides do not wait, because they answer from the state by which they decide.
                && ReadModelRegistry.isOurs(method.getBeanType())) {
            RequiredPositionHolder.keep(await(after, method.getBeanType()), request);
        }
        return true;
    }

    private long await(String[] after, Class<?> endpoint) {
        long position = position(after).orElseThrow(() -> new RefusedException(Refusal.INVALID, AFTER));
        Collection<String> readModels = known.computeIfAbsent(endpoint, this::readModelsOf);
        return switch (arrival(readModels, position)) {
            case REACHED -> position;
            case LATE -> throw new RefusedException(Refusal.NOT_READY, AFTER + "=" + position);
            case TOO_MANY_WAITING -> throw new RefusedException(Refusal.BUSY, AFTER + "=" + position);
            // No event has this position, so a wait for it would be useless.
            case NEVER -> throw new RefusedException(Refusal.INVALID, AFTER);
        };
    }

    private ProcessorPositionAwaiter.Arrival arrival(Collection<String> readModels, long number) {
        LogPosition wanted = LogPosition.of(number);
        Optional<Log> log = logs.of(wanted);
        if (log.isEmpty()) {
            return ProcessorPositionAwaiter.Arrival.NEVER;
        }
        try {
            return log.get().call(() -> positionAwaiter.await(readModels, wanted.position(), WAIT_MAX));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ProcessorPositionAwaiter.Arrival.LATE;
        }
    }

    private static OptionalLong position(String[] after) {
        try {
            long position = after.length == 1 ? Long.parseLong(after[0]) : -1;
            return position < 0 ? OptionalLong.empty() : OptionalLong.of(position);
        } catch (NumberFormatException malformed) {
            return OptionalLong.empty();
        }
    }

    private Collection<String> readModelsOf(Class<?> endpoint) {
        AnswersFromReadModels reads = AnnotationUtils.findAnnotation(endpoint, AnswersFromReadModels.class);
        return reads == null ? all.names() : Set.of(reads.value());
    }
}
