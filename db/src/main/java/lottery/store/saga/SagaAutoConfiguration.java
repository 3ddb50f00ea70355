package lottery.store.saga;

import java.time.InstantSource;
import java.util.Map;
import java.util.function.Consumer;
import lottery.store.clock.ClockAgreement;
import lottery.store.clock.ClockAgreement.ClocksDisagreeException;
import lottery.store.log.Logs;
import lottery.store.processing.FailureClassifier;
import lottery.store.processing.OutageClassifier;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.config.Configuration;
import org.axonframework.config.EventProcessingConfiguration;
import org.axonframework.config.EventProcessingConfigurer;
import org.axonframework.config.EventProcessingModule;
import org.axonframework.config.SagaConfigurer;
import org.axonframework.serialization.Serializer;
import org.axonframework.springboot.autoconfig.AxonAutoConfiguration;
import org.axonframework.springboot.autoconfig.EventProcessingAutoConfiguration;
import org.axonframework.springboot.autoconfig.JdbcAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;

/** Configures the storage of sagas, and the poller of due sagas if the application has any types of sagas. */
@AutoConfiguration(
        after = JdbcClientAutoConfiguration.class,
        before = {AxonAutoConfiguration.class, EventProcessingAutoConfiguration.class, JdbcAutoConfiguration.class})
class SagaAutoConfiguration {

    @Bean
    SagaTable sagaTable(JdbcClient database, PlatformTransactionManager transactions) {
        return new SagaTable(database, transactions);
    }

    @Bean
    LateSagaQueries lateSagas(JdbcClient database) {
        return new LateSagaQueries(database);
    }

    /**
     * Looks up Axon's configuration only when a saga exists, because that configuration itself needs the saga store.
     */
    @Bean
    SagaTypeRegistry kindsOfSagas(ObjectProvider<SagaNames> types, ObjectProvider<Configuration> axon) {
        return new SagaTypeRegistry(namesOf(types), axon::getObject);
    }

    private static SagaNames namesOf(ObjectProvider<SagaNames> types) {
        return types.getIfAvailable(() -> SagaNames.of(Map.of()));
    }

    @Bean
    BatchedSagaStore sagaStore(SagaTable table, SagaTypeRegistry kinds, Serializer serializer) {
        return new BatchedSagaStore(table, kinds, new SagaDocumentCodec(serializer));
    }

    @Bean
    BatchSagaEnder batchSagas(BatchedSagaStore store) {
        return store::endWithBatch;
    }

    /**
     * Registers a type of saga with Axon. Types that are stored here get their own repository,
     * {@link AssociationSagaRepository}.
     */
    @Bean
    @ConditionalOnMissingBean({EventProcessingModule.class, EventProcessingConfiguration.class})
    EventProcessingModule eventProcessing(ObjectProvider<SagaNames> types, ObjectProvider<BatchedSagaStore> store) {
        return new EventProcessingModule() {
            @Override
            public <T> EventProcessingConfigurer registerSaga(Class<T> type, Consumer<SagaConfigurer<T>> more) {
                return super.registerSaga(type, saga -> {
                    if (namesOf(types).nameOf(type).isPresent()) {
                        saga.configureRepository(axon -> AssociationSagaRepository.of(type, store.getObject(), axon));
                    }
                    more.accept(saga);
                });
            }
        };
    }

    /** Treats {@link SagaChangedException} as an outage, so that the batch is handled again with the new state. */
    @Bean
    OutageClassifier changedSagas() {
        return SagaChangedException.class::isInstance;
    }

    /** Trusts the time if the application has no {@code DatabaseClock}. */
    @Bean
    @ConditionalOnMissingBean
    ClockAgreement clockAgreement() {
        return () -> true;
    }

    @Bean
    OutageClassifier disagreeingClocks() {
        return ClocksDisagreeException.class::isInstance;
    }

    @Bean
    @ConditionalOnBean(SagaNames.class)
    DueSagaThreads sagaSweep(
            SagaTable table,
            SagaTypeRegistry kinds,
            Logs logs,
            Serializer serializer,
            FailureClassifier failureClassifier,
            ObjectProvider<Configuration> axon,
            TransactionManager transactions,
            ObjectProvider<InstantSource> clock,
            ClockAgreement agreement) {
        return new DueSagaThreads(
                kinds,
                logs,
                (kind, log) -> new DueSagaPollLoop<>(
                        kind,
                        log,
                        table,
                        new SagaDocumentCodec(serializer),
                        failureClassifier,
                        axon::getObject,
                        transactions,
                        clock.getIfAvailable(InstantSource::system),
                        agreement));
    }
}
