package lottery.store.axon;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import lottery.store.axon.LogStorageEngine.Serialization;
import lottery.store.commit.Committer;
import lottery.store.connection.DurabilityStartCheck;
import lottery.store.log.LogDivergenceGuard;
import lottery.store.log.LogReader;
import lottery.store.log.LogTail;
import lottery.store.log.LogVersion;
import lottery.store.log.NotificationListener;
import lottery.store.log.TailFollower;
import org.axonframework.config.Configuration;
import org.axonframework.eventsourcing.Snapshotter;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.messaging.annotation.HandlerDefinition;
import org.axonframework.messaging.annotation.ParameterResolverFactory;
import org.axonframework.serialization.Serializer;
import org.axonframework.spring.eventsourcing.SpringAggregateSnapshotter;
import org.axonframework.springboot.autoconfig.AxonAutoConfiguration;
import org.springframework.beans.factory.InitializingBean;
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

    @Bean
    LogTail tail() {
        return new LogTail();
    }

    /**
     * Creates the guard that ends the process if the log has gone back. It runs no shutdown hooks: they would store the
     * positions of the processors, which do not belong to the log that the database has now.
     */
    @Bean
    LogDivergenceGuard history() {
        return new LogDivergenceGuard(() -> Runtime.getRuntime().halt(LOG_LOST));
    }

    /** Lets an application write that does not name its version. */
    @Bean
    @ConditionalOnMissingBean
    LogVersion logVersion() {
        return new LogVersion(Integer.MAX_VALUE, 0);
    }

    @Bean
    InitializingBean logVersionCheck(LogVersion version, JdbcClient database) {
        return () -> version.start(database);
    }

    @Bean(initMethod = "check")
    DurabilityStartCheck durabilityCheck(
            JdbcClient database, @Value("${lottery.postgres.unsafe:false}") boolean wanted) {
        return new DurabilityStartCheck(database, wanted);
    }

    @Bean(initMethod = "start", destroyMethod = "close")
    Committer committer(DataSource database, LogVersion version, LogTail tail, LogDivergenceGuard divergenceGuard) {
        return Committer.of(database, version, tail, divergenceGuard);
    }

    @Bean
    UnitOfWorkAppender eventAppender(Committer committer) {
        return new UnitOfWorkAppender(committer);
    }

    @Bean
    UniqueKeyClaims claims(UnitOfWorkAppender appender, JdbcClient database) {
        return new UniqueKeyClaims(appender, database);
    }

    @Bean
    NamedNumberSeries numberSeries(UnitOfWorkAppender appender, JdbcClient database) {
        return new NamedNumberSeries(appender, database);
    }

    @Bean(initMethod = "start", destroyMethod = "close")
    LimitedCounters counters(UnitOfWorkAppender appender, JdbcClient database) {
        return new LimitedCounters(appender, database);
    }

    @Bean
    LogReader logReader(JdbcClient database, LogTail tail) {
        return new LogReader(database, tail::last);
    }

    @Bean
    LogMessageReader logMessageReader(
            LogReader reader, @Qualifier("eventSerializer") Serializer eventSerializer, Configuration axon) {
        return new LogMessageReader(reader, eventSerializer, axon.upcasterChain());
    }

    @Bean
    LogStorageEngine eventStorageEngine(
            Serializer serializer,
            @Qualifier("eventSerializer") Serializer eventSerializer,
            Configuration axon,
            UnitOfWorkAppender appender,
            LogReader reader,
            JdbcClient database) {
        Serialization serialization = new Serialization();
        serialization
                .snapshotSerializer(serializer)
                .eventSerializer(eventSerializer)
                .upcasterChain(axon.upcasterChain())
                .snapshotFilter(axon.snapshotFilter());
        return new LogStorageEngine(serialization, appender, reader, new SnapshotTable(database));
    }

    @Bean
    EventStore eventStore(
            LogStorageEngine engine,
            LogMessageReader reader,
            UnitOfWorkAppender appender,
            LogTail tail,
            Configuration axon) {
        return new LogTailEventStore(
                engine, reader, appender, tail, axon.messageMonitor(EventStore.class, "eventStore"));
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
    HistoryReader eventHistory(LogMessageReader reader) {
        return new HistoryReader(reader);
    }

    @Bean(initMethod = "start", destroyMethod = "close")
    TailFollower follower(LogTail tail, LogDivergenceGuard divergenceGuard, LogMessageReader reader) {
        return new TailFollower(tail, divergenceGuard, reader);
    }

    @Bean(initMethod = "start", destroyMethod = "close")
    NotificationListener listener(DataSource database, LogTail tail, TailFollower follower) {
        return new NotificationListener(database, tail);
    }
}
