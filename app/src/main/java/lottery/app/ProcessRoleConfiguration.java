package lottery.app;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import lottery.CommandEndpointsConfiguration;
import lottery.CommandSideConfiguration;
import lottery.fulfilment.FulfilmentConfiguration;
import lottery.messaging.MessagingConfiguration;
import lottery.messaging.draw.DrawQueueIntakeConfiguration;
import lottery.proof.ProofConfiguration;
import lottery.saga.SagaSideConfiguration;
import lottery.view.QuerySideConfiguration;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Configures the parts of the application that a process has by its roles. A process with sagas also has the
 * aggregates, because sagas send commands.
 */
@Configuration(proxyBeanMethods = false)
@Import({
    ProcessRoleConfiguration.CommandSideImports.class,
    ProcessRoleConfiguration.CommandEndpointImports.class,
    ProcessRoleConfiguration.QuerySideImports.class,
    ProcessRoleConfiguration.SagaSideImports.class
})
class ProcessRoleConfiguration {

    @OnRole({ProcessRole.COMMAND, ProcessRole.SAGA})
    @Configuration(proxyBeanMethods = false)
    @Import(CommandSideConfiguration.class)
    static class CommandSideImports {}

    @OnRole(ProcessRole.COMMAND)
    @Configuration(proxyBeanMethods = false)
    @Import({
        CommandEndpointsConfiguration.class,
        ProofConfiguration.class,
        DrawQueueIntakeConfiguration.class,
        DemoActivity.class
    })
    static class CommandEndpointImports {}

    @OnRole(ProcessRole.QUERY)
    @Configuration(proxyBeanMethods = false)
    @Import(QuerySideConfiguration.class)
    static class QuerySideImports {}

    @OnRole(ProcessRole.SAGA)
    @Configuration(proxyBeanMethods = false)
    @Import({MessagingConfiguration.class, FulfilmentConfiguration.class, SagaSideConfiguration.class})
    static class SagaSideImports {}

    @Target(ElementType.TYPE)
    @Retention(RetentionPolicy.RUNTIME)
    @Conditional(HasRole.class)
    @interface OnRole {
        ProcessRole[] value();
    }

    static class HasRole implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            MergedAnnotation<OnRole> wanted = metadata.getAnnotations().get(OnRole.class);
            Set<ProcessRole> roles = EnumSet.copyOf(ProcessRole.in(Objects.requireNonNull(context.getEnvironment())));
            for (ProcessRole role : wanted.getEnumArray("value", ProcessRole.class)) {
                if (roles.contains(role)) {
                    return true;
                }
            }
            return false;
        }
    }
}
