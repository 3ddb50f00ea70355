package lottery;

import static org.springframework.context.annotation.FilterType.ANNOTATION;

import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.RestController;

/**
 * What players and those who run activities ask for over REST. It is apart from the aggregates, because a process that
 * only runs journeys has those, too, and is not asked for anything. (Inside of {@link CommandSide} it would come with
 * it wherever that is imported: Spring looks into configurations.)
 */
@Configuration(proxyBeanMethods = false)
@ComponentScan(
        basePackages = {
            "lottery.activity",
            "lottery.strategy",
            "lottery.account",
            "lottery.raffle",
            "lottery.award",
            "lottery.choice",
            "lottery.credit",
            "lottery.stock",
            "lottery.fairness",
            "lottery.proof",
            "lottery.simulation"
        },
        useDefaultFilters = false,
        includeFilters = @ComponentScan.Filter(type = ANNOTATION, classes = RestController.class))
public class CommandEndpoints {}
