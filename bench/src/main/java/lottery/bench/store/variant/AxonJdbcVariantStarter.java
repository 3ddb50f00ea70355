package lottery.bench.store.variant;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import lottery.bench.store.variant.StoreVariant.Table;
import lottery.store.NamedEventSerializer;
import org.axonframework.commandhandling.CommandBus;
import org.axonframework.commandhandling.SimpleCommandBus;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.commandhandling.gateway.DefaultCommandGateway;
import org.axonframework.common.jdbc.UnitOfWorkAwareConnectionProviderWrapper;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.config.Configuration;
import org.axonframework.config.Configurer;
import org.axonframework.config.DefaultConfigurer;
import org.axonframework.eventsourcing.eventstore.EventStorageEngine;
import org.axonframework.eventsourcing.eventstore.jdbc.JdbcEventStorageEngine;
import org.axonframework.eventsourcing.eventstore.jdbc.JdbcSQLErrorCodesResolver;
import org.axonframework.messaging.interceptors.CorrelationDataInterceptor;
import org.axonframework.serialization.Serializer;
import org.axonframework.serialization.jackson3.Jackson3Serializer;
import org.axonframework.spring.jdbc.SpringDataSourceConnectionProvider;
import org.axonframework.spring.messaging.unitofwork.SpringTransactionManager;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** Starts the contender with Axon's own engine and event store, with one transaction for each unit of work. */
public final class AxonJdbcVariantStarter {

    /**
     * The key of the metadata that the lottery's store writes with each event. This contender writes it, too, so that
     * both write the same amount.
     */
    private static final String TRACE = "traceId";

    /** The tables that the engine expects. Their keys compare byte by byte, as in the lottery's store. */
    private static final String TABLES = """
            CREATE TABLE domainevententry (
                globalindex         bigserial PRIMARY KEY,
                aggregateidentifier text COLLATE "C" NOT NULL,
                sequencenumber      bigint NOT NULL,
                type                text COLLATE "C",
                eventidentifier     text COLLATE "C" NOT NULL UNIQUE,
                metadata            bytea,
                payload             bytea NOT NULL,
                payloadrevision     text COLLATE "C",
                payloadtype         text COLLATE "C" NOT NULL,
                timestamp           text COLLATE "C" NOT NULL,
                UNIQUE (aggregateidentifier, sequencenumber)
            );
            CREATE TABLE snapshotevententry (
                aggregateidentifier text COLLATE "C" NOT NULL,
                sequencenumber      bigint NOT NULL,
                type                text COLLATE "C" NOT NULL,
                eventidentifier     text COLLATE "C" NOT NULL UNIQUE,
                metadata            bytea,
                payload             bytea NOT NULL,
                payloadrevision     text COLLATE "C",
                payloadtype         text COLLATE "C" NOT NULL,
                timestamp           text COLLATE "C" NOT NULL,
                PRIMARY KEY (aggregateidentifier, sequencenumber)
            )""";

    private AxonJdbcVariantStarter() {}

    public static AxonVariant start(
            StoreVariantKind entry, BenchmarkConnectionFactory target, int connections, String driverSettings)
            throws SQLException {
        HikariDataSource pool = target.pool(entry.schema(), connections, driverSettings);
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA " + entry.schema());
            statement.execute(TABLES);
        }
        TransactionManager transactions = new SpringTransactionManager(new DataSourceTransactionManager(pool));
        Configurer configurer = configurer(pool, transactions);
        BenchmarkAggregateRegistration.register(configurer);
        Configuration axon = configurer.start();
        return new AxonVariant(
                entry,
                new Table(entry.schema(), "domainevententry", "globalindex"),
                gateway(axon.commandBus()),
                axon.eventStore(),
                () -> {
                    axon.shutdown();
                    pool.close();
                });
    }

    private static Configurer configurer(HikariDataSource pool, TransactionManager transactions) {
        return DefaultConfigurer.defaultConfiguration(false)
                .configureSerializer(axon -> Jackson3Serializer.builder().build())
                .configureMessageSerializer(axon -> Jackson3Serializer.builder().build())
                .configureCorrelationDataProviders(axon -> List.of(
                        message -> Map.of(TRACE, message.getMetaData().getOrDefault(TRACE, message.getIdentifier()))))
                .configureEventSerializer(axon -> new NamedEventSerializer(BenchmarkDrawFact.TYPES))
                .configureTransactionManager(axon -> transactions)
                .configureCommandBus(axon -> bus(axon, transactions))
                .configureEmbeddedEventStore(axon -> engine(axon, pool, transactions));
    }

    private static CommandBus bus(Configuration axon, TransactionManager transactions) {
        SimpleCommandBus bus =
                SimpleCommandBus.builder().transactionManager(transactions).build();
        bus.registerHandlerInterceptor(new CorrelationDataInterceptor<>(axon.correlationDataProviders()));
        return bus;
    }

    private static EventStorageEngine engine(Configuration axon, HikariDataSource pool, TransactionManager manager) {
        Serializer snapshots = axon.serializer();
        return JdbcEventStorageEngine.builder()
                .snapshotSerializer(snapshots)
                .eventSerializer(axon.eventSerializer())
                .upcasterChain(axon.upcasterChain())
                .persistenceExceptionResolver(new JdbcSQLErrorCodesResolver())
                .connectionProvider(
                        new UnitOfWorkAwareConnectionProviderWrapper(new SpringDataSourceConnectionProvider(pool)))
                .transactionManager(manager)
                .build();
    }

    private static CommandGateway gateway(CommandBus bus) {
        return DefaultCommandGateway.builder().commandBus(bus).build();
    }
}
