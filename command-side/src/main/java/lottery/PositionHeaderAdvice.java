package lottery;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import lottery.store.log.CallerWrittenPosition;
import lottery.store.log.Log;
import lottery.store.log.LogPosition;
import lottery.store.log.Logs;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.http.server.ServletServerHttpResponse;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;

/**
 * Adds to the answer to a command a header with the log position of the command's newest event. A read with
 * {@code ?after=} that position sees what the command has done.
 */
@RestControllerAdvice
final class PositionHeaderAdvice implements ResponseBodyAdvice<Object> {

    static final String HEADER = "Lottery-Position";

    private static final int FIRST_REFUSAL = 300;

    /** The status of a request that waits in the queue. Its draw is not stored yet, so there is no position to tell. */
    private static final int WAITING = 202;

    private final EventStore events;
    private final Logs logs;

    PositionHeaderAdvice(EventStore events, Logs logs) {
        this.events = events;
        this.logs = logs;
    }

    @Override
    public boolean supports(MethodParameter method, Class<? extends HttpMessageConverter<?>> converter) {
        return true;
    }

    @Override
    public @Nullable Object beforeBodyWrite(
            @Nullable Object body,
            MethodParameter method,
            MediaType type,
            Class<? extends HttpMessageConverter<?>> converter,
            ServerHttpRequest request,
            ServerHttpResponse response) {
        if (request instanceof ServletServerHttpRequest asked
                && asked.getServletRequest().getAttribute(HEADER) instanceof CallerWrittenPosition written
                && (written.decidedIn().isPresent()
                        || response.getHeaders().containsHeader(IdempotentReplyBuilder.REPLAYED))
                && response instanceof ServletServerHttpResponse answer
                && isDone(answer.getServletResponse().getStatus())) {
            answer.getHeaders()
                    .set(
                            HEADER,
                            Long.toString(written.newest()
                                    .orElseGet(() -> head(written.decidedIn().orElseGet(logs::current)))
                                    .number()));
        }
        return body;
    }

    private static boolean isDone(int status) {
        return status < FIRST_REFUSAL && status != WAITING;
    }

    /**
     * Returns the position of the newest event in a log, for a repeated request. Such a request writes no event, but
     * the events of the first request are certainly stored by now.
     */
    private LogPosition head(Log log) {
        return new LogPosition(
                log.number(), log.call(() -> events.createHeadToken().position().orElse(0)));
    }

    /** Records the positions of the events that the commands of a request write. */
    static final class WrittenPositionFilter extends OncePerRequestFilter {

        private static final Set<String> SENDING = Set.of("POST", "PUT", "DELETE");

        @Override
        protected boolean shouldNotFilter(HttpServletRequest request) {
            return !SENDING.contains(request.getMethod());
        }

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            CallerWrittenPosition written = new CallerWrittenPosition();
            request.setAttribute(HEADER, written);
            try {
                written.of(() -> {
                    chain.doFilter(request, response);
                    return true;
                });
            } catch (ServletException | IOException | RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new ServletException(e);
            }
        }
    }
}
