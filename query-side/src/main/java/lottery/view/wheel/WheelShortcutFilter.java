package lottery.view.wheel;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.view.figures.VisitorCounter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.ServerHttpObservationFilter;
import org.springframework.web.filter.ShallowEtagHeaderFilter;

/**
 * Answers requests for the wheel, which are the most frequent ones, from memory or Redis. It bypasses the web
 * framework, which costs more time than the rest of the work. Unusual and invalid requests go through the framework.
 */
@Component
class WheelShortcutFilter extends HttpFilter {

    private static final long serialVersionUID = 1;

    private static final String PATTERN = "/api/v1/activities/{activityId}/awards";
    private static final Pattern PATH = Pattern.compile("/api/v1/activities/([1-9][0-9]{0,17})/awards");
    private static final String ANYTHING = "*/*";

    /**
     * The pattern of an ETag in the form in which this server sends it. Gateways may turn it into a weak tag or a list,
     * and the framework handles these.
     */
    private static final Pattern TAG = Pattern.compile("\"[^\",]*\"");

    /**
     * The reader is looked up at the first request. Filters are created before other beans. If this filter needed the
     * reader at once, nearly all other beans would be created with the filter.
     */
    private final transient ObjectProvider<WheelReader> wheels;

    private final transient ObjectProvider<VisitorCounter> visitors;

    WheelShortcutFilter(ObjectProvider<WheelReader> wheels, ObjectProvider<VisitorCounter> visitors) {
        this.wheels = wheels;
        this.visitors = visitors;
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        RenderedWheel wheel = account(request).flatMap(this::atOnce).orElse(null);
        if (wheel == null) {
            chain.doFilter(request, response);
            return;
        }
        ServerHttpObservationFilter.findObservationContext(request)
                .ifPresent(observed -> observed.setPathPattern(PATTERN));
        ShallowEtagHeaderFilter.disableContentCaching(request);
        response.setHeader(HttpHeaders.ETAG, wheel.tag());
        if (wheel.tag().equals(request.getHeader(HttpHeaders.IF_NONE_MATCH))) {
            response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
        } else {
            response.setContentType(MediaType.APPLICATION_JSON_VALUE);
            response.setContentLength(wheel.json().length);
            response.getOutputStream().write(wheel.json());
        }
    }

    private Optional<RenderedWheel> atOnce(AccountId account) {
        Optional<RenderedWheel> wheel = wheels.getObject().atOnce(account);
        if (wheel.isPresent()) {
            visitors.getObject().note(account);
        }
        return wheel;
    }

    private static Optional<AccountId> account(HttpServletRequest request) {
        Matcher path = PATH.matcher(request.getRequestURI());
        if (!"GET".equals(request.getMethod()) || !path.matches() || !wantsJson(request) || !isSimple(request)) {
            return Optional.empty();
        }
        String[] userIds = request.getParameterValues("userId");
        if (userIds == null || userIds.length != 1 || request.getParameterMap().size() != 1) {
            return Optional.empty();
        }
        try {
            return Optional.of(new AccountId(new ActivityId(Long.parseLong(path.group(1))), new UserId(userIds[0])));
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    private static boolean isSimple(HttpServletRequest request) {
        String known = request.getHeader(HttpHeaders.IF_NONE_MATCH);
        return known == null || TAG.matcher(known).matches();
    }

    private static boolean wantsJson(HttpServletRequest request) {
        String accept = request.getHeader(HttpHeaders.ACCEPT);
        return accept == null || accept.contains(ANYTHING) || accept.contains(MediaType.APPLICATION_JSON_VALUE);
    }
}
