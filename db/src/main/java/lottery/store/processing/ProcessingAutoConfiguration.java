package lottery.store.processing;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import lottery.store.axon.LogTokenStore;
import lottery.store.axon.OpenLog;
import lottery.store.axon.OpenLogs;
import lottery.store.log.Logs;
import lottery.store.trace.TraceInterceptor;
import org.axonframework.config.ConfigurerModule;
import org.axonframework.config.EventProcessingConfiguration;
import org.axonframework.config.EventProcessingConfigurer;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.EventHandlerInvoker;
import org.axonframework.eventhandling.MultiEventHandlerInvoker;
import org.axonframework.eventhandling.PropagatingErrorHandler;
import org.axonframework.eventhandling.SimpleEventHandlerInvoker;
import org.axonframework.eventhandling.async.SequentialPolicy;
import org.axonframework.eventhandling.tokenstore.inmemory.InMemoryTokenStore;
import org.axonframework.messaging.StreamableMessageSource;
import org.axonframework.modelling.saga.AbstractSagaManager;
import org.axonframework.springboot.autoconfig.AxonAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Configures tokens, and the processors that move them. */
@AutoConfiguration(after = JdbcClientAutoConfiguration.class, before = AxonAutoConfiguration.class)
class ProcessingAutoConfiguration {

    /** If a claim was not extended for this time, its process counts as dead, and another process takes over. */
    private static final Duration TOKEN_CLAIM_MAX = Duration.ofSeconds(10);

    /** Provides the tokens of the home log. */
    @Bean
    LogTokenStore tokenStore(OpenLogs logs) {
        return tokens(logs.home());
    }

    private static LogTokenStore tokens(OpenLog log) {
        return new LogTokenStore(log.log(), log.divergenceGuard(), TOKEN_CLAIM_MAX);
    }

    @Bean
    ParkedEventStore parkedEvents(JdbcClient database) {
        return new ParkedEventStore(database);
    }

    @Bean
    ParkedEventQueries parkedList(JdbcClient database, Logs logs) {
        return new ParkedEventQueries(database, logs);
    }

    @Bean
    ProcessorPositionAwaiter reachedPositions(OpenLogs logs) {
        return new ProcessorPositionAwaiter(logs);
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

    /**
     * Gives each group of handlers its processor, which it may share. If a handler fails, its batch fails, so that no
     * event is lost.
     */
    @Bean
    ConfigurerModule processors(
            ParkedEventStore parked,
            SequencingRule sequences,
            ProcessorPositionAwaiter positionAwaiter,
            OpenLogs logs,
            LogTokenStore home,
            List<ProcessorStart> starts,
            List<SharedProcessor> shared,
            FailureClassifier failureClassifier,
            IdleTransactionFinder open) {
        Map<String, ProcessorStart> startOf =
                starts.stream().collect(Collectors.toMap(ProcessorStart::processor, start -> start));
        List<LogPart> parts = logs.all().stream()
                .map(log -> new LogPart(log, log == logs.home() ? home : tokens(log), new BatchConcurrencyLimiter()))
                .toList();
        Set<String> sharedNames = shared.stream().map(SharedProcessor::name).collect(Collectors.toSet());
        return configurer -> {
            EventProcessingConfigurer assigned = configurer.eventProcessing();
            shared.forEach(each -> each.groups().forEach(group -> assigned.assignProcessingGroup(group, each.name())));
            assigned
                    // A processor has one segment, so no policy has to assign events to segments.
                    .registerDefaultSequencingPolicy(axon -> new SequentialPolicy())
                    .registerDefaultHandlerInterceptor((axon, processor) -> new TraceInterceptor())
                    .registerDefaultListenerInvocationErrorHandler(axon -> PropagatingErrorHandler.instance())
                    .registerEventProcessorFactory((name, axon, handlers) -> {
                        EventProcessingConfiguration processing = axon.eventProcessingConfiguration();
                        ProcessorStart start = startOf.getOrDefault(
                                name, new ProcessorStart(name, StreamableMessageSource::createTailToken, false));
                        return new BatchEventProcessor(
                                name,
                                sharedNames.contains(name)
                                        ? members(handlers, processing)
                                        : List.of(member(name, List.of(handlers))),
                                processing.messageMonitor(BatchEventProcessor.class, name),
                                parts.stream()
                                        .map(part -> new ProcessorDependencies(
                                                part.log().log(),
                                                part.log(),
                                                start.isInEachProcess() ? new InMemoryTokenStore() : part.tokens(),
                                                processing.transactionManager(name),
                                                parked,
                                                sequences,
                                                failureClassifier,
                                                open,
                                                positionAwaiter.of(part.log()),
                                                part.turns(),
                                                start.token()))
                                        .toList());
                    });
        };
    }

    /**
     * The things that all processors of a log share.
     *
     * @param turns each log has its own, so that a slow server does not take those of the others
     */
    private record LogPart(OpenLog log, LogTokenStore tokens, BatchConcurrencyLimiter turns) {}

    /** Returns the members of a shared processor, in the order of their names. */
    private static List<ProcessorMember> members(
            EventHandlerInvoker handlers, EventProcessingConfiguration processing) {
        Map<String, List<EventHandlerInvoker>> groups = invokers(handlers)
                .collect(Collectors.groupingBy(
                        invoker -> groupOf(invoker, processing), TreeMap::new, Collectors.toList()));
        return groups.entrySet().stream()
                .map(group -> member(group.getKey(), group.getValue()))
                .toList();
    }

    private static ProcessorMember member(String name, List<EventHandlerInvoker> handlers) {
        boolean isRebuilt = handlers.stream()
                .flatMap(ProcessingAutoConfiguration::invokers)
                .allMatch(invoker -> invoker instanceof SimpleEventHandlerInvoker simple
                        && simple.eventHandlers().stream()
                                .allMatch(handler -> RebuiltFromLog.class.isAssignableFrom(handler.getTargetType())));
        return new ProcessorMember(
                name, handlers.size() == 1 ? handlers.getFirst() : new MultiEventHandlerInvoker(handlers), isRebuilt);
    }

    private static Stream<EventHandlerInvoker> invokers(EventHandlerInvoker handlers) {
        return handlers instanceof MultiEventHandlerInvoker several
                ? several.delegates().stream()
                : Stream.of(handlers);
    }

    /**
     * Returns the processing group of handlers. Axon makes one invoker for each group, and one for each type of saga.
     */
    private static String groupOf(EventHandlerInvoker handlers, EventProcessingConfiguration processing) {
        return switch (handlers) {
            case AbstractSagaManager<?> sagas -> processing.sagaProcessingGroup(sagas.getSagaType());
            case SimpleEventHandlerInvoker simple ->
                groupOf(simple.eventHandlers().getFirst().getTargetType());
            default -> throw new IllegalStateException("the group of %s is unknown".formatted(handlers));
        };
    }

    private static String groupOf(Class<?> type) {
        ProcessingGroup group = AnnotationUtils.findAnnotation(type, ProcessingGroup.class);
        return group == null ? type.getPackageName() : group.value();
    }
}
