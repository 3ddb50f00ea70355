package lottery;

import java.net.URI;
import java.util.function.Function;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;

/**
 * Builds the answers of endpoints that create something. The status is 201 the first time, and 200 with the same body
 * for each repetition.
 */
public final class IdempotentReplyBuilder {

    /** The header with the idempotency key: requests with the same key are one request. */
    public static final String KEY_HEADER = "Idempotency-Key";

    /** The pattern of a key: printable ASCII. */
    public static final String KEY = "[\\x20-\\x7e]{1,255}";

    /**
     * The body of a request that needs no content. A body with fields is refused, because its sender expects an effect
     * that the fields would not have.
     */
    public record EmptyRequest() {}

    public static final String REPLAYED = "Idempotency-Replayed";

    private IdempotentReplyBuilder() {}

    public static <T> ResponseEntity<T> created(URI where, T body) {
        return ResponseEntity.created(where).body(body);
    }

    public static <T> ResponseEntity<T> created(T body) {
        return ResponseEntity.status(HttpStatus.CREATED).body(body);
    }

    /** Returns the answer with the body of a result, which was created by this request or by an earlier one. */
    public static <R, T> ResponseEntity<T> of(IdempotentResult<R> result, Function<R, T> body) {
        T told = body.apply(result.value());
        return result.isReplayed() ? repeated(told) : created(told);
    }

    public static <T> ResponseEntity<T> repeated(T body) {
        return ResponseEntity.ok().header(REPLAYED, "true").body(body);
    }
}
