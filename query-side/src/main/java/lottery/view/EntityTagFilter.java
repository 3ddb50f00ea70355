package lottery.view;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.web.filter.ShallowEtagHeaderFilter;

/** An ETag for every read. A stream of events, or of draws, would be held back until its end, so it gets none. */
final class EntityTagFilter extends ShallowEtagHeaderFilter {

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        String path = request.getRequestURI();
        return !"GET".equals(request.getMethod()) || path.endsWith("/stream") || path.endsWith("/draws/export");
    }
}
