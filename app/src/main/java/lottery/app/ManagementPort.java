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
import lottery.security.CannotStartException;
import lottery.security.SessionCallers;
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
 * Serves the endpoints for operators on a separate port: the desk, projections, health, metrics and the contract. Each
 * port answers 404 for the paths of the other port. If both settings have the same number, there is only one port.
 *
 * <p>The page for operators is on this port, too. A browser lets a page call only the port from which the page was
 * loaded. Therefore this port also serves the API, without streams. It refuses changes by pages of other sites. If the
 * {@link SwaggerUiLocation} is present, this port serves all paths.
 *
 * <p>The port has a few threads of its own, so that it answers even while players keep the other port busy.
 */
@Configuration(proxyBeanMethods = false)
class ManagementPort {

    /** The paths for operators, with everything below them. */
    private static final List<String> PATHS =
            List.of("/actuator", "/api/v1/ops", "/v3", "/console", SwaggerUiLocation.FOLDER);

    /** The paths that the page for operators calls, on the port from which it was loaded. */
    private static final List<String> PATHS_OF_PAGE = List.of("/api/v1", "/pages", "/problems");

    /**
     * The ending of a stream's path. Streams are not served here, because each holds one of the few threads of this
     * port.
     */
    private static final String STREAM = "/stream";

    /**
     * The paths that both ports serve. Load balancers call health paths on the port for players, and operators call
     * them on this port. The session path is on both, because each port has its own session cookie.
     */
    private static final List<String> PATHS_OF_BOTH = List.of("/livez", "/readyz", "/api/v1/session");

    /** The values that browsers send for requests by a page of this port, or directly by the user. */
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
            throw new CannotStartException(
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

    /** Returns the port on which operators are served. */
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
         * Returns whether a page of another site makes the browser send a change. Such a request is refused. Otherwise,
         * if a gateway authenticates callers and the lottery does not, a malicious page in an operator's browser could
         * change something.
         */
        private static boolean isByForeignPage(HttpServletRequest request) {
            return !READS.contains(request.getMethod()) && !isByOwnPage(request);
        }

        /**
         * Returns whether a page of this port sends the request. {@code Sec-Fetch-Site} says so. Browsers omit this
         * header if the page was loaded by plain HTTP from another machine. Then the origin is compared with the host.
         */
        private static boolean isByOwnPage(HttpServletRequest request) {
            String site = request.getHeader("Sec-Fetch-Site");
            String origin = request.getHeader(HttpHeaders.ORIGIN);
            if (site != null) {
                return OWN_SITES.contains(site);
            }
            return origin == null || origin.replaceFirst(".*://", "").equals(request.getHeader(HttpHeaders.HOST));
        }

        private boolean isServed(HttpServletRequest request) {
            // The path as the server has decoded it: without path parameters and without escapes.
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
