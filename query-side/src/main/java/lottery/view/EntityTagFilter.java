package lottery.view;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.web.filter.ShallowEtagHeaderFilter;

/**
 * Adds an ETag to the answers to reads. To compute it, this filter holds each answer back until its end. Endpoints that
 * stream must therefore call {@link ShallowEtagHeaderFilter#disableContentCaching}. The path does not tell streams from
 * other reads, because one path can be written in many ways with percent-encoded letters.
 */
final class EntityTagFilter extends ShallowEtagHeaderFilter {

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !"GET".equals(request.getMethod());
    }
}
