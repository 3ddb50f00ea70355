package lottery.store;

import javax.sql.DataSource;
import lottery.store.command.CommandSender;
import lottery.store.log.CallerWrittenPosition;
import lottery.store.log.Logs;
import lottery.store.trace.Actor;
import lottery.store.trace.TraceId;
import lottery.store.trace.TraceInterceptor;
import org.axonframework.commandhandling.CommandBus;
import org.axonframework.commandhandling.DuplicateCommandHandlerResolver;
import org.axonframework.commandhandling.SimpleCommandBus;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.commandhandling.gateway.DefaultCommandGateway;
import org.axonframework.common.jdbc.ConnectionProvider;
import org.axonframework.common.lock.LockFactory;
import org.axonframework.common.lock.PessimisticLockFactory;
import org.axonframework.common.transaction.NoTransactionManager;
import org.axonframework.config.Configuration;
import org.axonframework.messaging.correlation.CorrelationDataProvider;
import org.axonframework.messaging.interceptors.CorrelationDataInterceptor;
import org.axonframework.modelling.command.CommandTargetResolver;
import org.axonframework.serialization.Serializer;
import org.axonframework.serialization.jackson3.Jackson3Serializer;
import org.axonframework.spring.jdbc.SpringDataSourceConnectionProvider;
import org.axonframework.springboot.autoconfig.AxonAutoConfiguration;
import org.axonframework.springboot.autoconfig.JdbcAutoConfiguration;
import org.axonframework.springboot.autoconfig.NoOpTransactionAutoConfiguration;
import org.axonframework.springboot.autoconfig.TransactionAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

/** Configures Axon on PostgreSQL for many small commands. Everything else is Axon's own default. */
@AutoConfiguration(
        after = {DataSourceAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class},
        // This class is given by its name, because it does not exist without JPA. If it exists, the store uses its
        // transaction manager.
        afterName = "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
        before = {
            AxonAutoConfiguration.class,
            JdbcAutoConfiguration.class,
            TransactionAutoConfiguration.class,
            NoOpTransactionAutoConfiguration.class
        })
class StoreAutoConfiguration {

    @Bean
    @Primary
    Serializer serializer() {
        return Jackson3Serializer.builder()
                .lenientDeserialization()
                .jsonMapperBuilderCustomizer(PlainJson::fields)
                .build();
    }

    @Bean
    @Qualifier("messageSerializer")
    Serializer messageSerializer(Serializer serializer) {
        return serializer;
    }

    @Bean
    @Qualifier("eventSerializer")
    Serializer eventSerializer(EventTypes types) {
        return new NamedEventSerializer(types);
    }

    /**
     * Provides connections for reads and appends. Each read and each append runs in the current Spring transaction, or
     * else in a transaction of its own. Between reads and appends, a unit of work holds no connection.
     */
    @Bean
    ConnectionProvider connectionProvider(DataSource dataSource) {
        return new SpringDataSourceConnectionProvider(dataSource);
    }

    /**
     * Creates a command bus that starts no transaction around a command. A command writes only events, and the store
     * writes them in a transaction of its own. A handler reads by SQL from the log of its target.
     */
    @Bean
    CommandBus commandBus(
            Configuration axon,
            DuplicateCommandHandlerResolver duplicates,
            Logs logs,
            ObjectProvider<CommandTargetResolver> targets) {
        SimpleCommandBus bus = SimpleCommandBus.builder()
                .transactionManager(NoTransactionManager.instance())
                .duplicateCommandHandlerResolver(duplicates)
                .messageMonitor(axon.messageMonitor(CommandBus.class, "commandBus"))
                .build();
        TraceInterceptor trace = new TraceInterceptor();
        bus.registerDispatchInterceptor(trace);
        bus.registerHandlerInterceptor(trace);
        CommandTargetResolver targetOf = targets.getIfAvailable();
        if (logs.all().size() > 1 && targetOf != null) {
            bus.registerHandlerInterceptor((unit, chain) -> logs.of(
                            targetOf.resolveTarget(unit.getMessage()).getIdentifier())
                    .call(chain::proceed));
        }
        bus.registerHandlerInterceptor((unit, chain) -> {
            CallerWrittenPosition.recordCommand(logs.current());
            return chain.proceed();
        });
        bus.registerHandlerInterceptor(new CorrelationDataInterceptor<>(axon.correlationDataProviders()));
        return bus;
    }

    @Bean
    CommandGateway commandGateway(CommandBus commandBus) {
        return DefaultCommandGateway.builder()
                .commandBus(commandBus)
                .retryScheduler(new ConflictRetry())
                .build();
    }

    @Bean
    CommandSender commandSender(CommandGateway gateway) {
        return new CommandSender(gateway);
    }

    /**
     * Adds the trace id of a request to all messages that follow from the request. The trace id is short, because it is
     * stored with every event. A command without a request, such as one that a due saga sends, takes the id of the
     * message that caused it.
     */
    @Bean
    CorrelationDataProvider traces() {
        return message -> TraceId.current()
                .or(() -> TraceId.in(message))
                .or(() -> TraceId.of(message.getIdentifier()))
                .orElseGet(TraceId::fresh)
                .metaData();
    }

    /** Adds the actor to every event that follows from a request. */
    @Bean
    CorrelationDataProvider actors() {
        return _ -> Actor.ofEvents();
    }

    /**
     * Creates the locks of aggregates. A command waits for another command on the same aggregate for a second at most.
     * The command is refused after this second, or at once if the queue is full. Axon's default wait is a minute.
     */
    @Bean
    LockFactory aggregateLocks() {
        return PessimisticLockFactory.builder()
                .acquireAttempts(10)
                .lockAttemptTimeout(100)
                .queueLengthThreshold(64)
                .build();
    }
}
