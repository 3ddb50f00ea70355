package lottery.app;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import lottery.app.security.SessionCallers;
import lottery.app.startup.CannotStart;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.tomcat.TomcatWebServerFactory;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Serves what operators use on a port of its own: the desk, projections, health, metrics and the contract. Each port
 * answers 404 for the paths of the other one. Both are one port if they are set to the same number.
 *
 * <p>The page for operators is here, too. A browser lets a page call only the port that it came from, so that this port
 * also serves the API to it, without streams. It refuses changes by pages of other sites. A lottery with the
 * {@link SwaggerUiLocation} serves everything here.
 *
 * <p>The port has few threads of its own, so that it answers even while players keep the other one busy.
 */
@Configuration(proxyBeanMethods = false)
class ManagementPort {

    /** Everything below these paths is for operators. */
    private static final List<String> PATHS =
            List.of("/actuator", "/api/v1/ops", "/v3", "/console", SwaggerUiLocation.FOLDER);

    /** The page for operators asks for these on the port that it came from. */
    private static final List<String> PATHS_OF_PAGE = List.of("/api/v1", "/pages", "/problems");

    /** A stream holds a thread of the few that this port has. */
    private static final String STREAM = "/stream";

    /**
     * A load balancer asks for its paths on the port that it sends players to, an operator on his own. The session of
     * each port has a cookie of its own, so that it begins there.
     */
    private static final List<String> PATHS_OF_BOTH = List.of("/livez", "/readyz", "/api/v1/session");

    /** The values of browsers for requests by a page of this port, or by their user himself. */
    private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

    private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

    private static final int AFTER_TRACE_ID = Ordered.HIGHEST_PRECEDENCE + 1;
    private static final int THREADS_MAX = 10;
    private static final int CONNECTIONS_MAX = 200;
    private static final Duration REQUEST_WAIT_MAX = Duration.ofSeconds(20);

    private final boolean isSeparate;
    private final boolean servesAll = SwaggerUiLocation.isHere();
    private final boolean hasPage;
    private final Connector connector = new Connector(TomcatWebServerFactory.DEFAULT_PROTOCOL);

    ManagementPort(
            @Value("${server.port}") int mainPort,
            @Value("${lottery.management.port}") int port,
            @Value("${lottery.management.address}") String address,
            @Value("${lottery.console:true}") boolean hasPage) {
        this.hasPage = hasPage;
        isSeparate = port != mainPort;
        connector.setPort(port);
        AbstractHttp11Protocol<?> protocol = (AbstractHttp11Protocol<?>) connector.getProtocolHandler();
        protocol.setAddress(addressOf(address));
        protocol.setMaxThreads(THREADS_MAX);
        protocol.setMinSpareThreads(1);
        protocol.setMaxConnections(CONNECTIONS_MAX);
        protocol.setConnectionTimeout(Math.toIntExact(REQUEST_WAIT_MAX.toMillis()));
    }

    private static InetAddress addressOf(String address) {
        try {
            return InetAddress.getByName(address);
        } catch (UnknownHostException e) {
            throw new CannotStart(
                    "LOTTERY_MANAGEMENT_ADDRESS is '%s', which is no address of this machine.".formatted(address),
                    "Set it to 127.0.0.1, or to the address that operators reach.");
        }
    }

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> managementConnector() {
        return factory -> {
            if (isSeparate) {
                factory.addAdditionalConnectors(connector);
            }
        };
    }

    /** The port on which operators are served. */
    int number(int mainPort) {
        return isSeparate ? connector.getLocalPort() : mainPort;
    }

    @Bean
    FilterRegistrationBean<PathFilter> pathsOfEachPort() {
        FilterRegistrationBean<PathFilter> filter = new FilterRegistrationBean<>(new PathFilter());
        filter.setDispatcherTypes(DispatcherType.REQUEST);
        filter.setOrder(AFTER_TRACE_ID);
        filter.setEnabled(isSeparate);
        return filter;
    }

    final class PathFilter extends OncePerRequestFilter {

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            if (isForOperators(request)) {
                SessionCallers.useOperatorsCookie(request);
            }
            if (!isServed(request)) {
                response.sendError(HttpServletResponse.SC_NOT_FOUND);
            } else if (isForOperators(request) && isByForeignPage(request)) {
                response.sendError(HttpServletResponse.SC_FORBIDDEN);
            } else {
                chain.doFilter(request, response);
            }
        }

        /**
         * Returns whether a page of another site makes its visitor's browser send a change. Behind a gateway, nobody is
         * asked who he is here: an operator who visits such a page would change something for it.
         */
        private static boolean isByForeignPage(HttpServletRequest request) {
            return !READS.contains(request.getMethod()) && !isByOwnPage(request);
        }

        /** A browser says less of a page that came by HTTP from another machine, but still where it came from. */
        private static boolean isByOwnPage(HttpServletRequest request) {
            String site = request.getHeader("Sec-Fetch-Site");
            String origin = request.getHeader(HttpHeaders.ORIGIN);
            if (site != null) {
                return OWN_SITES.contains(site);
            }
            return origin == null || origin.replaceFirst(".*://", "").equals(request.getHeader(HttpHeaders.HOST));
        }

        private boolean isServed(HttpServletRequest request) {
            // As the server has understood it: without path parameters, and with nothing escaped.
            String path = request.getServletPath();
            boolean isForOperators = isForOperators(request);
            return isAmong(PATHS_OF_BOTH, path)
                    || isAmong(PATHS, path) == isForOperators
                    || (isForOperators && (servesAll || isOfPage(path)));
        }

        private boolean isOfPage(String path) {
            return hasPage && isAmong(PATHS_OF_PAGE, path) && !path.endsWith(STREAM);
        }

        private boolean isForOperators(HttpServletRequest request) {
            return request.getLocalPort() == connector.getLocalPort();
        }
    }

    private static boolean isAmong(List<String> paths, String path) {
        return paths.stream().anyMatch(each -> path.equals(each) || path.startsWith(each + "/"));
    }
}
