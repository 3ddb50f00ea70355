package lottery.console;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.resource.VersionResourceResolver;

/**
 * Serves the page for players at {@code /}, the page for operators at {@code /console}, and their files below
 * {@code /pages}. The URL of each file contains one version for all files together. Therefore a browser can keep a file
 * for ever, and never mixes files of two versions.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "lottery.console", matchIfMissing = true)
public class ConsoleConfiguration {

    private static final String FILES = "/pages/**";
    private static final Duration KEPT = Duration.ofDays(365);

    /** The policy allows only files of this server, and forbids running text as code or showing a page in a frame. */
    private static final String POLICY = String.join(
            "; ",
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self'",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types lit-html");

    @Bean
    WebMvcConfigurer pageFiles() {
        String version = PageFileLoader.version();
        return new WebMvcConfigurer() {
            @Override
            public void addResourceHandlers(ResourceHandlerRegistry registry) {
                registry.addResourceHandler(FILES)
                        .addResourceLocations(PageFileLoader.OWN, PageFileLoader.LIBRARY)
                        .setCacheControl(CacheControl.maxAge(KEPT).cachePublic().immutable())
                        .resourceChain(true)
                        .addResolver(new VersionResourceResolver().addFixedVersionStrategy(version, "/**"));
            }
        };
    }

    @Bean
    RouterFunction<ServerResponse> pages() {
        String version = PageFileLoader.version();
        String players = PageFileLoader.home(version);
        String operators = PageFileLoader.operators(version);
        return RouterFunctions.route()
                .GET("/", _ -> answer(players))
                .GET("/console", _ -> answer(operators))
                .build();
    }

    private static ServerResponse answer(String page) {
        return ServerResponse.ok()
                .contentType(new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8))
                .cacheControl(CacheControl.noCache().cachePrivate())
                .body(page);
    }

    @Bean
    FilterRegistrationBean<PagePolicyFilter> pagePolicy() {
        FilterRegistrationBean<PagePolicyFilter> filter = new FilterRegistrationBean<>(new PagePolicyFilter());
        filter.addUrlPatterns("/", "/console", "/pages/*");
        return filter;
    }

    /** Tells browsers what they may do with the pages. */
    static final class PagePolicyFilter extends HttpFilter {

        private static final long serialVersionUID = 1;

        @Override
        protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            response.setHeader("Content-Security-Policy", POLICY);
            response.setHeader("Referrer-Policy", "no-referrer");
            response.setHeader("X-Content-Type-Options", "nosniff");
            response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
            response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
            chain.doFilter(request, response);
        }
    }
}
