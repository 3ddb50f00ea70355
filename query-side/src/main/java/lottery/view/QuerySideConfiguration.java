package lottery.view;

import java.util.Set;
import lottery.store.processing.ProcessorPositionAwaiter;
import org.axonframework.queryhandling.QueryBus;
import org.axonframework.queryhandling.SimpleQueryBus;
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
 * Configures the read models and their endpoints. Beans have the full names of their classes, because both sides of the
 * lottery use the same few words.
 */
@Configuration(proxyBeanMethods = false)
@ComponentScan(nameGenerator = FullyQualifiedAnnotationBeanNameGenerator.class)
@EntityScan
@EnableJpaRepositories(
        nameGenerator = FullyQualifiedAnnotationBeanNameGenerator.class,
        enableDefaultTransactions = false)
public class QuerySideConfiguration {

    /**
     * Omits the transaction that Axon would put around each query. Such a transaction would hold a connection while one
     * caller waits for another's database query, and its end would need a round trip to PostgreSQL. Without it, an
     * answer may combine statements that were read at different moments.
     */
    @Bean
    QueryBus questionsWithoutTransactions(org.axonframework.config.Configuration axon) {
        return SimpleQueryBus.builder()
                .messageMonitor(axon.messageMonitor(QueryBus.class, "queryBus"))
                .build();
    }

    /** Lets any read of a read model wait for the caller's own writes. */
    @Bean
    WebMvcConfigurer readYourWrites(ProcessorPositionAwaiter positionAwaiter, ReadModelRegistry readModels) {
        ReadYourWritesInterceptor waiting = new ReadYourWritesInterceptor(positionAwaiter, readModels);
        return new WebMvcConfigurer() {
            @Override
            public void addInterceptors(InterceptorRegistry registry) {
                registry.addInterceptor(waiting).addPathPatterns("/api/**");
            }
        };
    }

    /** Covers only GET requests to the read paths of this side, so that no other response is buffered for its hash. */
    @Bean
    FilterRegistrationBean<EntityTagFilter> readTags() {
        FilterRegistrationBean<EntityTagFilter> registration = new FilterRegistrationBean<>(new EntityTagFilter());
        registration.setUrlPatterns(
                Set.of("/api/v1/activities", "/api/v1/activities/*", "/api/v1/award-records/*", "/api/v1/users/*"));
        return registration;
    }
}
