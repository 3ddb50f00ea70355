package lottery.problem;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.problem.Problem.ProblemFinding;
import lottery.store.trace.TraceId;
import lottery.store.vault.SecretUnavailableException;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.axonframework.eventsourcing.eventstore.EventStoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.transaction.TransactionException;
import org.springframework.validation.method.ParameterErrors;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.MissingRequestHeaderException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.ServletRequestBindingException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** Turns exceptions into problem documents. The documents reveal nothing about the internals of the program. */
@RestControllerAdvice
class ProblemHandler extends ResponseEntityExceptionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ProblemHandler.class);

    private final RefusalTexts texts;
    private final ProblemDocuments documents;

    ProblemHandler(RefusalTexts texts, ProblemDocuments documents) {
        this.texts = texts;
        this.documents = documents;
    }

    @ExceptionHandler
    ResponseEntity<Object> refused(RefusedException exception, Locale locale) {
        Refused refused = exception.refused();
        List<ProblemFinding> flaws = refused.findings().stream()
                .map(finding -> new ProblemFinding(finding.pointer(), texts.finding(finding, locale)))
                .toList();
        return problem(refused, flaws, locale);
    }

    @ExceptionHandler({
        TransactionException.class,
        DataAccessException.class,
        EventStoreException.class,
        SecretUnavailableException.class
    })
    ResponseEntity<Object> unready(Exception exception, Locale locale) {
        // One line without a stack trace is logged, because in an outage every request logs it.
        LOG.warn(
                "PostgreSQL did not answer, or a key for secrets is missing: {}. The caller is answered NOT_READY.",
                exception.toString());
        return problem(new Refused(Refusal.NOT_READY, texts.phrase("storage", locale)), List.of(), locale);
    }

    /**
     * Refuses a query or a form with a wrong encoding. The server throws this exception when the first parameter is
     * read.
     */
    @ExceptionHandler
    ResponseEntity<Object> unreadable(InvalidParameterException exception, Locale locale) {
        return malformed(texts.phrase("unreadable", locale), List.of());
    }

    @ExceptionHandler
    ResponseEntity<Object> failed(Exception exception, Locale locale) {
        LOG.error("A request failed unexpectedly. The caller is answered 500. Report the stack trace.", exception);
        return internal(locale);
    }

    @Override
    protected ResponseEntity<Object> handleMethodArgumentNotValid(
            MethodArgumentNotValidException exception, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        List<ProblemFinding> flaws = exception.getBindingResult().getFieldErrors().stream()
                .map(error -> new ProblemFinding(
                        JsonPointers.ofPath(error.getField()), String.valueOf(error.getDefaultMessage())))
                .toList();
        return malformed(texts.phrase("body", LocaleContextHolder.getLocale()), flaws);
    }

    @Override
    protected ResponseEntity<Object> handleHandlerMethodValidationException(
            HandlerMethodValidationException exception,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        List<ProblemFinding> flaws = new ArrayList<>();
        exception.getParameterValidationResults().forEach(parameter -> {
            if (parameter instanceof ParameterErrors errors) {
                errors.getFieldErrors()
                        .forEach(error -> flaws.add(new ProblemFinding(
                                JsonPointers.ofPath(error.getField()), String.valueOf(error.getDefaultMessage()))));
            } else {
                String name = JsonPointers.nameOf(parameter.getMethodParameter());
                parameter
                        .getResolvableErrors()
                        .forEach(error ->
                                flaws.add(new ProblemFinding("/" + name, String.valueOf(error.getDefaultMessage()))));
            }
        });
        return malformed(
                flaws.isEmpty()
                        ? texts.phrase("body", LocaleContextHolder.getLocale())
                        : flaws.getFirst().pointer(),
                flaws);
    }

    @Override
    protected ResponseEntity<Object> handleTypeMismatch(
            TypeMismatchException exception, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        String name = exception instanceof MethodArgumentTypeMismatchException argument
                ? argument.getName()
                : String.valueOf(exception.getPropertyName());
        return malformed(
                name,
                List.of(new ProblemFinding("/" + name, texts.phrase("wrong-value", LocaleContextHolder.getLocale()))));
    }

    @Override
    protected ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException exception, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        Locale locale = LocaleContextHolder.getLocale();
        Throwable cause = exception.getMostSpecificCause();
        if (cause instanceof BodyLimitFilter.BodyTooLargeException) {
            return malformed(texts.phrase("too-large", locale), List.of());
        }
        JacksonException json = jacksonIn(exception);
        if (json instanceof DatabindException && !json.getPath().isEmpty()) {
            String key = json instanceof UnrecognizedPropertyException ? "unknown-field" : "wrong-value";
            return malformed(
                    texts.phrase("body", locale),
                    List.of(new ProblemFinding(JsonPointers.of(json.getPath()), texts.phrase(key, locale))));
        }
        return malformed(texts.phrase("not-json", locale), List.of());
    }

    private static @Nullable JacksonException jacksonIn(Throwable exception) {
        Throwable cause = exception;
        while (cause != null) {
            if (cause instanceof JacksonException json) {
                return json;
            }
            cause = cause.getCause();
        }
        return null;
    }

    @Override
    protected ResponseEntity<Object> handleMissingServletRequestParameter(
            MissingServletRequestParameterException exception,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        String name = exception.getParameterName();
        return malformed(
                name,
                List.of(new ProblemFinding("/" + name, texts.phrase("missing", LocaleContextHolder.getLocale()))));
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleServletRequestBindingException(
            ServletRequestBindingException exception, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        if (exception instanceof MissingRequestHeaderException missing) {
            String name = missing.getHeaderName();
            return malformed(
                    name,
                    List.of(new ProblemFinding("/" + name, texts.phrase("missing", LocaleContextHolder.getLocale()))));
        }
        return handleExceptionInternal(exception, null, headers, status, request);
    }

    /** Handles refusals of Spring itself: an unknown path, or a method or media type that is not served. */
    @Override
    protected @Nullable ResponseEntity<Object> handleExceptionInternal(
            Exception exception,
            @Nullable Object body,
            HttpHeaders headers,
            HttpStatusCode status,
            WebRequest request) {
        Locale locale = LocaleContextHolder.getLocale();
        if (status.is5xxServerError()) {
            LOG.error("A request failed unexpectedly. The caller is answered 500. Report the stack trace.", exception);
            return internal(locale);
        }
        String path = request.getDescription(false).replace("uri=", "");
        return respond(headers, documents.ofStatus(status.value(), path, trace(), locale));
    }

    private ResponseEntity<Object> malformed(String what, List<ProblemFinding> flaws) {
        return problem(new Refused(Refusal.INVALID, what), flaws, LocaleContextHolder.getLocale());
    }

    private ResponseEntity<Object> problem(Refused refused, List<ProblemFinding> flaws, Locale locale) {
        RefusalStatus shape = RefusalStatus.of(refused.why());
        HttpHeaders headers = new HttpHeaders();
        if (shape.retryable()) {
            headers.set(HttpHeaders.RETRY_AFTER, "1");
        }
        return respond(headers, documents.refused(refused, shape.status().value(), flaws, trace(), locale));
    }

    private ResponseEntity<Object> internal(Locale locale) {
        return respond(
                new HttpHeaders(), documents.internal(HttpStatus.INTERNAL_SERVER_ERROR.value(), trace(), locale));
    }

    /** Returns the trace id of the request, or a new one if it has none. */
    private static TraceId trace() {
        return TraceId.current().orElseGet(TraceId::fresh);
    }

    private static ResponseEntity<Object> respond(HttpHeaders headers, Problem problem) {
        return ResponseEntity.status(problem.status())
                .headers(headers)
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(problem);
    }
}
