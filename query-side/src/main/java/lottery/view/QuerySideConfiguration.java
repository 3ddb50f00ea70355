package lottery.view;

import java.time.Duration;
import java.util.Set;
import lottery.store.log.Logs;
import lottery.store.processing.ProcessorPositionAwaiter;
import lottery.store.processing.SharedProcessor;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.FullyQualifiedAnnotationBeanNameGenerator;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Configures the read models and their endpoints. The name of a bean is the full name of its class, because the command
 * side and the query side have classes with equal simple names.
 */
@Configuration(proxyBeanMethods = false)
@ComponentScan(nameGenerator = FullyQualifiedAnnotationBeanNameGenerator.class)
@EntityScan
@EnableJpaRepositories(
        nameGenerator = FullyQualifiedAnnotationBeanNameGenerator.class,
        enableDefaultTransactions = false)
public class QuerySideConfiguration {

    private static final Duration ANSWER_MAX = Duration.ofSeconds(2);

    /** The read models in PostgreSQL, which need nothing else. */
    private static final SharedProcessor READ_MODELS = new SharedProcessor(
            "read-models",
            Set.of(
                    "accounts",
                    "activities",
                    "audit",
                    "credits",
                    "entitlements",
                    "figures",
                    "odds",
                    "payments",
                    "proposals",
                    "recharge-history",
                    "sign-ins",
                    "trades",
                    "wheel",
                    "winners",
                    "wins"));

    /**
     * Lets the read models in PostgreSQL follow the log together. Those in Redis have a processor of their own, which
     * waits while Redis is away.
     */
    @Bean
    SharedProcessor readModelsInPostgres() {
        return READ_MODELS;
    }

    /** Joins the equal queries of all endpoints. */
    @Bean
    SingleFlight questions() {
        return new SingleFlight("question", ANSWER_MAX);
    }

    /**
     * Lets every read of a read model wait for the position that the caller names, for example that of the caller's own
     * command.
     */
    @Bean
    WebMvcConfigurer readYourWrites(ProcessorPositionAwaiter positionAwaiter, Logs logs, ReadModelRegistry readModels) {
        ReadYourWritesInterceptor waiting = new ReadYourWritesInterceptor(positionAwaiter, logs, readModels);
        return new WebMvcConfigurer() {
            @Override
            public void addInterceptors(InterceptorRegistry registry) {
                registry.addInterceptor(waiting).addPathPatterns("/api/**");
            }
        };
    }

    /**
     * Adds an ETag only to GET requests for the read paths of this side. The ETag is a hash of the response, so the
     * filter buffers the whole response. Other responses are not buffered.
     */
    @Bean
    FilterRegistrationBean<EntityTagFilter> readTags() {
        FilterRegistrationBean<EntityTagFilter> registration = new FilterRegistrationBean<>(new EntityTagFilter());
        registration.setUrlPatterns(
                Set.of("/api/v1/activities", "/api/v1/activities/*", "/api/v1/award-records/*", "/api/v1/users/*"));
        return registration;
    }
}
