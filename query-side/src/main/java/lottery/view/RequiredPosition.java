package lottery.view;

import jakarta.servlet.http.HttpServletRequest;
import java.util.function.Supplier;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/**
 * Up to which position whoever asks has to see everything; 0: it does not matter to them. The read models have come
 * that far when a question is put, and what is remembered of a moment before that is no answer to it.
 */
public final class RequiredPosition {

    private static final String ATTRIBUTE = RequiredPosition.class.getName();
    private static final long ANY = 0;

    private static final ScopedValue<Long> POSITION = ScopedValue.newInstance();

    private RequiredPosition() {}

    /** For whoever answers a question. */
    public static long position() {
        return POSITION.orElse(ANY);
    }

    static void keep(long position, HttpServletRequest request) {
        request.setAttribute(ATTRIBUTE, position);
    }

    /** Of the request that this thread is at, if it is at one. */
    static long request() {
        RequestAttributes request = RequestContextHolder.getRequestAttributes();
        return request != null && request.getAttribute(ATTRIBUTE, RequestAttributes.SCOPE_REQUEST) instanceof Long known
                ? known
                : ANY;
    }

    static <R> R at(long position, Supplier<R> answer) {
        return ScopedValue.where(POSITION, position).call(answer::get);
    }
}
