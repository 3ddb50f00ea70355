package lottery.view;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.web.filter.ShallowEtagHeaderFilter;

/** Adds an ETag to every read except streams and exports of draws, because it would hold them back until their end. */
final class EntityTagFilter extends ShallowEtagHeaderFilter {

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        String path = request.getRequestURI();
        return !"GET".equals(request.getMethod()) || path.endsWith("/stream") || path.endsWith("/draws/export");
    }
}
