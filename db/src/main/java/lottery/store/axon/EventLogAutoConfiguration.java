package lottery.store.axon;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import lottery.store.axon.LogStorageEngine.Serialization;
import lottery.store.connection.DurabilityStartCheck;
import lottery.store.log.Log;
import lottery.store.log.LogDivergenceGuard;
import lottery.store.log.LogVersion;
import lottery.store.log.Logs;
import org.axonframework.config.Configuration;
import org.axonframework.eventsourcing.Snapshotter;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.messaging.annotation.HandlerDefinition;
import org.axonframework.messaging.annotation.ParameterResolverFactory;
import org.axonframework.serialization.Serializer;
import org.axonframework.serialization.upcasting.event.EventUpcaster;
import org.axonframework.serialization.upcasting.event.EventUpcasterChain;
import org.axonframework.spring.eventsourcing.SpringAggregateSnapshotter;
import org.axonframework.springboot.autoconfig.AxonAutoConfiguration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Configures the log as Axon's event store. */
@AutoConfiguration(after = JdbcClientAutoConfiguration.class, before = AxonAutoConfiguration.class)
class EventLogAutoConfiguration {

    private static final int SNAPSHOTS_WAITING_MAX = 1_000;

    /** The exit status of a process whose log has gone back. In sysexits.h it stands for an internal software error. */
    private static final int LOG_LOST = 70;

    /** Lets an application write that does not name its version. */
    @Bean
    @ConditionalOnMissingBean
    LogVersion logVersion() {
        return new LogVersion(Integer.MAX_VALUE, 0);
    }

    @Bean(initMethod = "check")
    DurabilityStartCheck durabilityCheck(Logs logs, @Value("${lottery.postgres.unsafe:false}") boolean wanted) {
        return new DurabilityStartCheck(logs.all().stream().map(Log::sql).toList(), wanted);
    }

    /**
     * Opens all logs. If one has gone back, the process ends without shutdown hooks: they would store the positions of
     * the processors, which do not belong to the log that the database has now.
     */
    @Bean(initMethod = "start", destroyMethod = "close")
    OpenLogs openLogs(
            Logs logs,
            LogVersion version,
            @Qualifier("eventSerializer") Serializer eventSerializer,
            ObjectProvider<EventUpcaster> upcasters,
            DurabilityStartCheck durable) {
        logs.all().forEach(version::start);
        // Axon's configuration needs the logs, so it cannot be asked for this chain.
        EventUpcaster chain = chain(upcasters);
        return new OpenLogs(
                logs,
                log -> OpenLog.of(
                        log,
                        version,
                        eventSerializer,
                        chain,
                        () -> Runtime.getRuntime().halt(LOG_LOST)));
    }

    private static EventUpcaster chain(ObjectProvider<EventUpcaster> upcasters) {
        return new EventUpcasterChain(upcasters.orderedStream().toList());
    }

    /** Provides the guard of the home log. */
    @Bean
    LogDivergenceGuard history(OpenLogs logs) {
        return logs.home().divergenceGuard();
    }

    @Bean
    UnitOfWorkAppender eventAppender(OpenLogs logs) {
        return new UnitOfWorkAppender(logs);
    }

    @Bean
    UniqueKeyClaims claims(UnitOfWorkAppender appender, JdbcClient database) {
        return new UniqueKeyClaims(appender, database);
    }

    @Bean
    NamedNumberSeries numberSeries(UnitOfWorkAppender appender, Logs logs) {
        return new NamedNumberSeries(appender, logs);
    }

    @Bean(initMethod = "start", destroyMethod = "close")
    LimitedCounters counters(UnitOfWorkAppender appender, Logs logs) {
        return new LimitedCounters(appender, logs);
    }

    @Bean
    LogStorageEngine eventStorageEngine(
            Serializer serializer,
            @Qualifier("eventSerializer") Serializer eventSerializer,
            Configuration axon,
            ObjectProvider<EventUpcaster> upcasters,
            UnitOfWorkAppender appender,
            OpenLogs logs) {
        Serialization serialization = new Serialization();
        serialization
                .snapshotSerializer(serializer)
                .eventSerializer(eventSerializer)
                .upcasterChain(chain(upcasters))
                .snapshotFilter(axon.snapshotFilter());
        return new LogStorageEngine(serialization, appender, logs);
    }

    @Bean
    EventStore eventStore(LogStorageEngine engine, OpenLogs logs, UnitOfWorkAppender appender, Configuration axon) {
        return new LogTailEventStore(engine, logs, appender, axon.messageMonitor(EventStore.class, "eventStore"));
    }

    /**
     * Makes snapshots one at a time, on a thread of its own, so that no command's caller waits for a snapshot. A full
     * queue rejects a snapshot. The snapshot is then made when its aggregate next asks for a snapshot.
     */
    @Bean(destroyMethod = "shutdownNow")
    ThreadPoolExecutor snapshotting() {
        return new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(SNAPSHOTS_WAITING_MAX),
                Thread.ofPlatform().name("snapshots").daemon().factory());
    }

    @Bean
    Snapshotter snapshotter(
            ThreadPoolExecutor snapshotting,
            Configuration axon,
            EventStore eventStore,
            HandlerDefinition handlers,
            ParameterResolverFactory parameters) {
        return SpringAggregateSnapshotter.builder()
                .executor(snapshotting)
                .eventStore(eventStore)
                .repositoryProvider(axon::repository)
                .handlerDefinition(handlers)
                .parameterResolverFactory(parameters)
                .build();
    }

    @Bean
    HistoryReader eventHistory(OpenLogs logs) {
        return new HistoryReader(logs);
    }
}
