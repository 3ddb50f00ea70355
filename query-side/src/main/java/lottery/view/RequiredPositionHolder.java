package lottery.view;

import jakarta.servlet.http.HttpServletRequest;
import java.util.function.Supplier;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/**
 * The position up to which an answer must include all events; 0 if the caller has named no position. The read models
 * reach this position before the query is sent. A cache that was filled earlier may lack events, so the answer must not
 * come from it.
 */
public final class RequiredPositionHolder {

    private static final String ATTRIBUTE = RequiredPositionHolder.class.getName();
    private static final long ANY = 0;

    private static final ScopedValue<Long> POSITION = ScopedValue.newInstance();

    private RequiredPositionHolder() {}

    /** Returns the position of the current query, for its handler. */
    public static long position() {
        return POSITION.orElse(ANY);
    }

    static void keep(long position, HttpServletRequest request) {
        request.setAttribute(ATTRIBUTE, position);
    }

    /** Returns the position of the current thread's request, if it has one. */
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
