package lottery.view;

import jakarta.servlet.http.HttpServletRequest;
import java.util.function.Supplier;
import lottery.store.log.LogPosition;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/**
 * The position up to which an answer must include all events; 0 if the caller has named no position. The read models
 * reach this position before the query begins. A cache that was filled earlier may lack events, so the answer must not
 * come from it.
 */
public final class RequiredPositionHolder {

    private static final String ATTRIBUTE = RequiredPositionHolder.class.getName();
    private static final long ANY = 0;

    private static final ScopedValue<Long> POSITION = ScopedValue.newInstance();

    private RequiredPositionHolder() {}

    /**
     * Returns the position of the current query, or else of the current thread's request: the number of a
     * {@link LogPosition}.
     */
    public static long position() {
        return POSITION.isBound() ? POSITION.get() : ofRequest();
    }

    /** Returns the position if it is one of the home log; 0: nothing of the home log has to be included. */
    public static long positionAtHome() {
        LogPosition position = LogPosition.of(position());
        return position.log() == 0 ? position.position() : ANY;
    }

    private static long ofRequest() {
        RequestAttributes request = RequestContextHolder.getRequestAttributes();
        return request != null && request.getAttribute(ATTRIBUTE, RequestAttributes.SCOPE_REQUEST) instanceof Long known
                ? known
                : ANY;
    }

    static void keep(long position, HttpServletRequest request) {
        request.setAttribute(ATTRIBUTE, position);
    }

    /** Runs a query of a caller that has waited for a position. */
    public static <R> R at(long position, Supplier<R> answer) {
        return ScopedValue.where(POSITION, position).call(answer::get);
    }
}
