package lottery.app;

import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import lottery.api.EventNames;
import lottery.api.EventOfUser;
import lottery.console.ConsoleConfiguration;
import lottery.problem.ProblemConfiguration;
import lottery.security.SecurityConfiguration;
import lottery.store.EventTypes;
import lottery.store.log.LogVersion;
import lottery.store.log.Logs;
import lottery.store.log.ShardRule;
import lottery.store.pace.AdmissionControl;
import lottery.store.processing.ProcessorPositionAwaiter;
import lottery.store.processing.SequencingRule;
import lottery.store.vault.PersonVaultConfiguration;
import org.axonframework.config.EventProcessingConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** The application: one process of the lottery, with the configured roles. */
@SpringBootConfiguration(proxyBeanMethods = false)
// Spring's error page is excluded, because requests that no endpoint answers also get a problem document. Spring's
// generated default user is excluded, because callers are authenticated in other ways.
@EnableAutoConfiguration(exclude = {ErrorMvcAutoConfiguration.class, UserDetailsServiceAutoConfiguration.class})
@Import({
    ProcessRoleConfiguration.class,
    ProblemConfiguration.class,
    ManagementPort.class,
    SecurityConfiguration.class,
    StartGreeting.class,
    ReportingMigrationStrategy.class,
    ContractEndpoint.class,
    ClockConfiguration.class,
    RepeatedLogFilter.class,
    ConsoleConfiguration.class,
    PersonVaultConfiguration.class
})
public class Lottery {

    public static void main(String[] arguments) {
        if (ExportVerificationProgram.isAskedFor(arguments)) {
            List<String> files = List.of(arguments).subList(1, arguments.length);
            System.exit(new ExportVerificationProgram(System.in, System.out, System.err).run(files));
        }
        if (SecretResealing.isAskedFor(arguments)) {
            System.exit(SecretResealing.run(System.out, arguments));
        }
        if (LogMoveProgram.isAskedFor(arguments)) {
            System.exit(new LogMoveProgram(System.out).run(List.of(arguments).subList(1, arguments.length)));
        }
        SpringApplication.run(Lottery.class, arguments);
    }

    @Bean
    EventTypes eventTypes() {
        return EventTypes.of(EventNames.all(), EventNames::revisionOf);
    }

    /**
     * A release counts its own version up. It counts the least one up if an older process, which ignores what the
     * release adds, would decide wrongly. Processes of the older version then end when the first newer one starts.
     */
    @Bean
    LogVersion logVersion() {
        return new LogVersion(1, 1);
    }

    /** Sequences events by user. An event that cannot be handled delays only later events of the same user. */
    @Bean
    SequencingRule sequences() {
        return event -> event.getPayload() instanceof EventOfUser happened
                ? happened.userId().value()
                : SequencingRule.ofAggregate(event);
    }

    @Bean
    ShardRule shardRule() {
        return new UserShardRule();
    }

    /** Runs after the filters of security, whose accounts and sessions are in the home log. */
    @Bean
    FilterRegistrationBean<LogOfPathFilter> logsOfRequests(ObjectProvider<Logs> logs) {
        FilterRegistrationBean<LogOfPathFilter> registration = new FilterRegistrationBean<>(new LogOfPathFilter(logs));
        registration.setUrlPatterns(Set.of("/api/*"));
        return registration;
    }

    @Bean
    ProcessorMeters processorMeters(
            Logs logs, EventProcessingConfiguration processing, ProcessorPositionAwaiter positionAwaiter) {
        return new ProcessorMeters(logs, processing, positionAwaiter);
    }

    @Bean
    AdmissionMeters paceMeters(AdmissionControl admission) {
        return new AdmissionMeters(admission);
    }

    /**
     * The only source of random numbers. Rules get random numbers as arguments. It is a secure generator, because
     * secrets must be unpredictable.
     */
    @Bean
    SecureRandom random() {
        return new SecureRandom();
    }
}
