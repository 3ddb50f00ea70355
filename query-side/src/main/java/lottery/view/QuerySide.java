package lottery.view;

import java.util.Set;
import lottery.store.processing.ProcessorPositions;
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
 * The read models and their endpoints. Beans have the full names of their classes, since both sides of the lottery use
 * the same few words.
 */
@Configuration(proxyBeanMethods = false)
@ComponentScan(nameGenerator = FullyQualifiedAnnotationBeanNameGenerator.class)
@EntityScan
@EnableJpaRepositories(
        nameGenerator = FullyQualifiedAnnotationBeanNameGenerator.class,
        enableDefaultTransactions = false)
public class QuerySide {

    /**
     * Without the transaction that Axon would put around each question: it holds a connection for as long as who
     * answers waits for somebody else's look at the database, and takes a way to PostgreSQL and back for its end. An
     * answer is as of a moment in which each of its statements was read.
     */
    @Bean
    QueryBus questionsWithoutTransactions(org.axonframework.config.Configuration axon) {
        return SimpleQueryBus.builder()
                .messageMonitor(axon.messageMonitor(QueryBus.class, "queryBus"))
                .build();
    }

    /** Whatever is asked of a read model can be asked as of what one has just written. */
    @Bean
    WebMvcConfigurer readYourWrites(ProcessorPositions reached, ReadModelRegistry readModels) {
        ReadYourWritesInterceptor waiting = new ReadYourWritesInterceptor(reached, readModels);
        return new WebMvcConfigurer() {
            @Override
            public void addInterceptors(InterceptorRegistry registry) {
                registry.addInterceptor(waiting).addPathPatterns("/api/**");
            }
        };
    }

    /** Only under the paths of this side's own reads, and of them only GET: nothing else is held back to be hashed. */
    @Bean
    FilterRegistrationBean<EntityTagFilter> readTags() {
        FilterRegistrationBean<EntityTagFilter> registration = new FilterRegistrationBean<>(new EntityTagFilter());
        registration.setUrlPatterns(
                Set.of("/api/v1/activities", "/api/v1/activities/*", "/api/v1/award-records/*", "/api/v1/users/*"));
        return registration;
    }
}
