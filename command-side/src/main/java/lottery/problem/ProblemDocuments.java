package lottery.problem;

import java.util.List;
import java.util.Locale;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.problem.Problem.ProblemFinding;
import lottery.store.trace.TraceId;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/**
 * Makes the problem documents for refusals of the application, and of the server before it calls the application. Each
 * refusal is logged.
 */
@Component
final class ProblemDocuments {

    private final RefusalTexts texts;
    private final RefusalLog log;

    ProblemDocuments(RefusalTexts texts, RefusalLog log) {
        this.texts = texts;
        this.log = log;
    }

    Problem refused(Refused refused, int status, List<ProblemFinding> flaws, TraceId traceId, Locale locale) {
        // The server itself may refuse a request whose thread carries no trace id.
        try (var _ = TraceId.open(traceId)) {
            log.refused(refused.why());
        }
        return new Problem(
                ProblemPages.PATH + RefusalStatus.slug(refused.why()),
                texts.title(refused.why(), locale),
                status,
                texts.detail(refused, locale),
                refused.why().name(),
                RefusalStatus.of(refused.why()).retryable(),
                traceId.text(),
                flaws);
    }

    /** Makes the document for an internal error. It has only the id under which the process output has the details. */
    Problem internal(int status, TraceId traceId, Locale locale) {
        return new Problem(
                "about:blank",
                texts.phrase("internal-title", locale),
                status,
                texts.phrase("internal", locale),
                "INTERNAL",
                true,
                traceId.text(),
                List.of());
    }

    /**
     * Makes the document for a request that only the server or the framework has seen, so that only its status is
     * known.
     *
     * @param path the path that was asked for
     */
    Problem ofStatus(int status, String path, TraceId traceId, Locale locale) {
        @Nullable HttpStatus known = HttpStatus.resolve(status);
        if (known == null) {
            return invalid("HTTP " + status, status, traceId, locale);
        }
        return switch (known) {
            case UNAUTHORIZED ->
                refused(new Refused(Refusal.UNAUTHENTICATED, path), status, List.of(), traceId, locale);
            case FORBIDDEN -> refused(new Refused(Refusal.FORBIDDEN, path), status, List.of(), traceId, locale);
            case NOT_FOUND -> refused(new Refused(Refusal.NOT_FOUND, path), status, List.of(), traceId, locale);
            case TOO_MANY_REQUESTS ->
                refused(new Refused(Refusal.RATE_LIMITED, path), status, List.of(), traceId, locale);
            case SERVICE_UNAVAILABLE ->
                refused(new Refused(Refusal.NOT_READY, path), status, List.of(), traceId, locale);
            case BAD_REQUEST -> invalid(texts.phrase("unreadable", locale), status, traceId, locale);
            case METHOD_NOT_ALLOWED -> invalid(texts.phrase("method", locale), status, traceId, locale);
            case UNSUPPORTED_MEDIA_TYPE -> invalid(texts.phrase("media-type", locale), status, traceId, locale);
            case NOT_ACCEPTABLE -> invalid(texts.phrase("not-acceptable", locale), status, traceId, locale);
            case NOT_IMPLEMENTED, HTTP_VERSION_NOT_SUPPORTED ->
                invalid(texts.phrase("protocol", locale), status, traceId, locale);
            default ->
                known.is5xxServerError()
                        ? internal(status, traceId, locale)
                        : invalid(known.getReasonPhrase(), status, traceId, locale);
        };
    }

    private Problem invalid(String what, int status, TraceId traceId, Locale locale) {
        return refused(new Refused(Refusal.INVALID, what), status, List.of(), traceId, locale);
    }
}
