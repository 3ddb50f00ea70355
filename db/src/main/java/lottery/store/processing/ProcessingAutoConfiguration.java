package lottery.store.processing;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import lottery.store.log.LogDivergenceGuard;
import lottery.store.trace.TraceInterceptor;
import org.axonframework.config.ConfigurerModule;
import org.axonframework.config.EventProcessingConfiguration;
import org.axonframework.eventhandling.PropagatingErrorHandler;
import org.axonframework.eventhandling.async.SequentialPolicy;
import org.axonframework.eventhandling.tokenstore.TokenStore;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.messaging.StreamableMessageSource;
import org.axonframework.springboot.autoconfig.AxonAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Configures tokens, and the processors that move them. */
@AutoConfiguration(after = JdbcClientAutoConfiguration.class, before = AxonAutoConfiguration.class)
class ProcessingAutoConfiguration {

    /** If a claim was not extended for this time, its process counts as dead, and another process takes over. */
    private static final Duration TOKEN_CLAIM_MAX = Duration.ofSeconds(10);

    @Bean
    TokenStore tokenStore(JdbcClient database, LogDivergenceGuard divergenceGuard) {
        return new TokenTable(database, divergenceGuard, TOKEN_CLAIM_MAX);
    }

    @Bean
    ParkedEventStore parkedEvents(JdbcClient database) {
        return new ParkedEventStore(database);
    }

    @Bean
    ParkedEventQueries parkedList(JdbcClient database) {
        return new ParkedEventQueries(database);
    }

    @Bean
    ProcessorPositionAwaiter reachedPositions(ObjectProvider<EventStore> events, JdbcClient database) {
        return new ProcessorPositionAwaiter(events::getObject, new TokenPositions(database));
    }

    @Bean
    BatchConcurrencyLimiter turnsOfProcessors() {
        return new BatchConcurrencyLimiter();
    }

    @Bean
    @ConditionalOnMissingBean
    SequencingRule sequences() {
        return SequencingRule::ofAggregate;
    }

    @Bean
    FailureClassifier failureClassifier(List<OutageClassifier> outages) {
        return new FailureClassifier(outages);
    }

    @Bean
    IdleTransactionFinder openTransactions(JdbcClient database) {
        return new IdleTransactionFinder(database);
    }

    @Bean(initMethod = "start", destroyMethod = "close")
    ProcessPauseDetector pauseDetector() {
        return new ProcessPauseDetector();
    }

    /** Makes each group of handlers one processor. If a handler fails, its batch fails, so that no event is lost. */
    @Bean
    ConfigurerModule processors(
            ParkedEventStore parked,
            SequencingRule sequences,
            ProcessorPositionAwaiter positionAwaiter,
            BatchConcurrencyLimiter turns,
            List<ProcessorStart> starts,
            FailureClassifier failureClassifier,
            IdleTransactionFinder open) {
        Map<String, ProcessorStart> startOf =
                starts.stream().collect(Collectors.toMap(ProcessorStart::processor, start -> start));
        return configurer -> configurer
                .eventProcessing()
                // A processor has one segment, so no policy has to assign events to segments.
                .registerDefaultSequencingPolicy(axon -> new SequentialPolicy())
                .registerDefaultHandlerInterceptor((axon, processor) -> new TraceInterceptor())
                .registerDefaultListenerInvocationErrorHandler(axon -> PropagatingErrorHandler.instance())
                .registerEventProcessorFactory((name, axon, handlers) -> {
                    EventProcessingConfiguration processing = axon.eventProcessingConfiguration();
                    ProcessorStart start = startOf.getOrDefault(
                            name, new ProcessorStart(name, StreamableMessageSource::createTailToken));
                    return new BatchEventProcessor(
                            name,
                            handlers,
                            processing.messageMonitor(BatchEventProcessor.class, name),
                            new ProcessorDependencies(
                                    axon.getComponent(EventStore.class, axon::eventStore),
                                    processing.tokenStore(name),
                                    processing.transactionManager(name),
                                    parked,
                                    sequences,
                                    failureClassifier,
                                    open,
                                    positionAwaiter,
                                    turns,
                                    start.token()));
                });
    }
}
