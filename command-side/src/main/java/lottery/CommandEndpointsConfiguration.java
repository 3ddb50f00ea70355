package lottery;

import static org.springframework.context.annotation.FilterType.ANNOTATION;

import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.RestController;

/**
 * The REST endpoints for players and operators. They are apart from the aggregates, because a process that only runs
 * sagas has aggregates and serves no requests. (This class is not nested in {@link CommandSideConfiguration}, because
 * an import of that class would also import every configuration nested in it.)
 */
@Configuration(proxyBeanMethods = false)
@ComponentScan(
        basePackages = CommandSideConfiguration.PACKAGES,
        useDefaultFilters = false,
        includeFilters = @ComponentScan.Filter(type = ANNOTATION, classes = RestController.class))
public class CommandEndpointsConfiguration {}
