package lottery;

import java.net.URI;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;

/**
 * How an endpoint answers what gives or creates: 201 the first time, the same body with 200 each time it is asked
 * again.
 */
public final class RepeatableReply {

    /** What makes a request the same as one before it. */
    public static final String KEY_HEADER = "Idempotency-Key";

    /** Of printable ASCII, as a pattern. */
    public static final String KEY = "[\\x20-\\x7e]{1,255}";

    /** The body of a request that needs none: whoever puts something there is told, rather than misunderstood. */
    public record EmptyRequest() {}

    static final String REPLAYED = "Idempotency-Replayed";

    private RepeatableReply() {}

    public static <T> ResponseEntity<T> created(URI where, T body) {
        return ResponseEntity.created(where).body(body);
    }

    public static <T> ResponseEntity<T> created(T body) {
        return ResponseEntity.status(HttpStatus.CREATED).body(body);
    }

    public static <T> ResponseEntity<T> repeated(T body) {
        return ResponseEntity.ok().header(REPLAYED, "true").body(body);
    }
}
