package lottery.view;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.web.filter.ShallowEtagHeaderFilter;

/**
 * Adds an ETag to the answers to reads. Streams and exports of draws get none, because the filter would hold back such
 * an answer until its end.
 */
final class EntityTagFilter extends ShallowEtagHeaderFilter {

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        String path = request.getRequestURI();
        return !"GET".equals(request.getMethod()) || path.endsWith("/stream") || path.endsWith("/draws/export");
    }
}
