package lottery.store.projection;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import lottery.store.EventTypes;
import lottery.store.axon.HistoryReader;
import lottery.store.log.Logs;
import lottery.store.processing.FailureClassifier;
import lottery.store.processing.SharedProcessor;
import lottery.store.projection.ReadModelReplay.ReplayableReadModel;
import org.axonframework.config.ProcessingGroup;
import org.axonframework.eventhandling.AnnotationEventHandlerAdapter;
import org.axonframework.messaging.annotation.HandlerDefinition;
import org.axonframework.messaging.annotation.ParameterResolverFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Configures replays of read models. The read models can be read during a replay. */
@AutoConfiguration(afterName = "lottery.store.axon.EventLogAutoConfiguration")
class ReplayAutoConfiguration {

    @Bean
    ReplayWorker replaysOfProjections(
            ListableBeanFactory beans,
            EventTypes types,
            ParameterResolverFactory parameters,
            HandlerDefinition handlers,
            Logs logs,
            HistoryReader history,
            JdbcClient database,
            PlatformTransactionManager transactions,
            FailureClassifier failureClassifier,
            List<SharedProcessor> shared) {
        Map<String, String> processors = new HashMap<>();
        shared.forEach(each -> each.groups().forEach(group -> processors.put(group, each.name())));
        return new ReplayWorker(
                logs,
                new ReplayableReadModelFinder(beans, types, parameters, handlers, processors),
                (log, readModels) -> new LogReplayWorker(
                        log, readModels, history, database, new TransactionTemplate(transactions), failureClassifier));
    }

    /**
     * Finds the read models whose groups have only projections, because a replay cannot repeat the work of other
     * handlers.
     *
     * @param processors the shared processors, by processing group
     */
    private record ReplayableReadModelFinder(
            ListableBeanFactory beans,
            EventTypes types,
            ParameterResolverFactory parameters,
            HandlerDefinition handlers,
            Map<String, String> processors)
            implements Supplier<Map<String, ReplayableReadModel>> {

        @Override
        public Map<String, ReplayableReadModel> get() {
            Map<String, List<BatchProjection<?>>> projections = new HashMap<>();
            Set<String> others = new HashSet<>();
            for (String name : beans.getBeanNamesForAnnotation(ProcessingGroup.class)) {
                Class<?> type = beans.getType(name);
                ProcessingGroup group =
                        type == null ? null : AnnotationUtils.findAnnotation(type, ProcessingGroup.class);
                if (type != null && group != null && BatchProjection.class.isAssignableFrom(type)) {
                    projections
                            .computeIfAbsent(group.value(), ignored -> new ArrayList<>())
                            .add(beans.getBean(name, BatchProjection.class));
                } else if (group != null) {
                    others.add(group.value());
                }
            }
            projections.keySet().removeAll(others);
            Map<String, ReplayableReadModel> readModels = new HashMap<>();
            projections.forEach((group, all) -> readModels.put(group, subject(group, all)));
            return readModels;
        }

        private ReplayableReadModel subject(String group, List<BatchProjection<?>> projections) {
            List<AnnotationEventHandlerAdapter> adapters = projections.stream()
                    .map(projection -> new AnnotationEventHandlerAdapter(projection, parameters, handlers))
                    .toList();
            return new ReplayableReadModel(
                    group,
                    processors.getOrDefault(group, group),
                    projections.stream()
                            .<ShadowTable>map(BatchProjection::tables)
                            .toList(),
                    adapters,
                    types.namesOf(type -> adapters.stream().noneMatch(adapter -> adapter.canHandleType(type))),
                    () -> projections.forEach(BatchProjection::replaced));
        }
    }
}
