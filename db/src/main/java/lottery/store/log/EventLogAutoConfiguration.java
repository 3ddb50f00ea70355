package lottery.store.log;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import lottery.store.log.GroupCommitEngine.Serialization;
import org.axonframework.config.Configuration;
import org.axonframework.eventsourcing.Snapshotter;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.messaging.annotation.HandlerDefinition;
import org.axonframework.messaging.annotation.ParameterResolverFactory;
import org.axonframework.serialization.Serializer;
import org.axonframework.spring.eventsourcing.SpringAggregateSnapshotter;
import org.axonframework.springboot.autoconfig.AxonAutoConfiguration;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfiguration;
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

    @Bean(initMethod = "check")
    DurabilityStartCheck durabilityCheck(
            JdbcClient database, @Value("${lottery.postgres.unsafe:false}") boolean wanted) {
        return new DurabilityStartCheck(database, wanted);
    }

    /**
     * Creates the guard that ends the process if the log has gone back. It runs no shutdown hooks: they would store the
     * positions of the processors, which do not belong to the log that the database has now.
     */
    @Bean
    LogDivergenceGuard history() {
        return new LogDivergenceGuard(() -> Runtime.getRuntime().halt(LOG_LOST));
    }

    @Bean(initMethod = "start", destroyMethod = "close")
    Committer committer(DataSource database, LogTail tail, LogDivergenceGuard divergenceGuard) {
        return new Committer(database, tail, divergenceGuard, CommitterLimits.DEFAULT);
    }

    @Bean
    GroupCommitEngine eventStorageEngine(
            Serializer serializer,
            @Qualifier("eventSerializer") Serializer eventSerializer,
            Configuration axon,
            Committer committer,
            JdbcClient database) {
        Serialization serialization = new Serialization();
        serialization
                .snapshotSerializer(serializer)
                .eventSerializer(eventSerializer)
                .upcasterChain(axon.upcasterChain())
                .snapshotFilter(axon.snapshotFilter());
        return new GroupCommitEngine(serialization, committer, new LogReader(database), new SnapshotTable(database));
    }

    @Bean
    EventStore eventStore(GroupCommitEngine engine, LogTail tail, Configuration axon) {
        return new LogTailEventStore(engine, tail, axon.messageMonitor(EventStore.class, "eventStore"));
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
    UniqueKeyClaims claims(GroupCommitEngine engine, JdbcClient database) {
        return new UniqueKeyClaims(engine, database);
    }

    @Bean
    NamedNumberSeries numberSeries(GroupCommitEngine engine, JdbcClient database) {
        return new NamedNumberSeries(engine, database);
    }

    @Bean
    HistoryReader eventHistory(GroupCommitEngine engine) {
        return new HistoryReader(engine);
    }

    @Bean(initMethod = "start", destroyMethod = "close")
    TailFollower follower(LogTail tail, LogDivergenceGuard divergenceGuard, GroupCommitEngine engine) {
        return new TailFollower(tail, divergenceGuard, engine);
    }

    @Bean(initMethod = "start", destroyMethod = "close")
    NotificationListener listener(DataSource database, LogTail tail, TailFollower follower) {
        return new NotificationListener(database, tail);
    }
}
