package lottery.problem;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import lottery.api.Refused;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.ActionCode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.LocaleResolver;
import tools.jackson.databind.json.JsonMapper;

/**
 * Answers with a problem document where the server would send a page of its own: for unreadable requests, and for
 * failures outside all endpoints. It is thread-safe, and sends nothing if an answer has begun.
 */
final class ProblemValve extends ErrorReportValve {

    private static final Logger LOG = LoggerFactory.getLogger(ProblemValve.class);

    /** The attribute of a request that was refused before all endpoints, for a reason that its status does not say. */
    private static final String REFUSED = Refused.class.getName();

    private final ProblemDocuments documents;
    private final LocaleResolver locales;
    private final JsonMapper json;

    ProblemValve(ProblemDocuments documents, LocaleResolver locales, JsonMapper json) {
        this.documents = documents;
        this.locales = locales;
        this.json = json;
    }

    @Override
    protected void report(Request request, Response response, @Nullable Throwable failure) {
        int status = response.getStatus();
        if (status < 400
                || response.getContentWritten() > 0
                || !response.setErrorReported()
                || !canBeWritten(response)) {
            return;
        }
        String path = Objects.requireNonNullElse(request.getRequestURI(), "");
        Problem problem = request.getAttribute(REFUSED) instanceof Refused refused
                ? documents.refused(refused, status, List.of(), TraceFilter.of(request), localeOf(request))
                : documents.ofStatus(status, path, TraceFilter.of(request), localeOf(request));
        LOG.debug("The server refused a request with status {}, trace id {}.", status, problem.traceId());
        try {
            write(problem, response);
        } catch (IOException e) {
            LOG.debug("The answer could not be sent, because the client has closed its connection: {}", e.toString());
        }
    }

    private static boolean canBeWritten(Response response) {
        AtomicBoolean isOpen = new AtomicBoolean();
        response.getCoyoteResponse().action(ActionCode.IS_IO_ALLOWED, isOpen);
        return isOpen.get();
    }

    private void write(Problem problem, Response response) throws IOException {
        byte[] document = json.writeValueAsBytes(problem);
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.setContentLength(document.length);
        response.setHeader(TraceFilter.ANSWERED, problem.traceId());
        if (problem.retryable()) {
            response.setHeader(HttpHeaders.RETRY_AFTER, "1");
        }
        response.getOutputStream().write(document);
        response.finishResponse();
    }

    /** Returns English if the headers were not read, or are invalid. */
    private Locale localeOf(HttpServletRequest request) {
        try {
            return locales.resolveLocale(request);
        } catch (RuntimeException e) {
            return Locale.ENGLISH;
        }
    }
}
