package lottery.store;

import static java.util.function.Function.identity;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import lottery.store.Parcel.MoveParcel;
import lottery.store.Parcel.ParcelMoved;
import lottery.store.Parcel.ParcelSent;
import lottery.store.Parcel.SendParcel;
import lottery.store.axon.HistoryReader;
import lottery.store.log.Log;
import lottery.store.log.Logs;
import lottery.store.log.ShardRule;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventhandling.GenericEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.messaging.unitofwork.DefaultUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@DisplayName("With four logs")
@SpringBootTest(
        classes = TestStore.class,
        properties = {"lottery.logs=4", "lottery.data=${lottery.servers:target/servers}-of-logs"})
@Import(SeveralLogsTest.Sharded.class)
class SeveralLogsTest {

    private static final Duration FOLLOWED_MAX = Duration.ofSeconds(30);
    private static final int PARCELS = 12;

    private final CommandGateway commands;
    private final EventStore events;
    private final HistoryReader history;
    private final Logs logs;
    private final JdbcClient database;
    private final TransactionTemplate transaction;
    private final String run = UUID.randomUUID().toString();

    @TestConfiguration
    static class Sharded {

        @Bean
        ShardRule shards() {
            return new ShardRule() {
                @Override
                public OptionalInt ofAggregate(String id) {
                    return id.matches("parcel:\\d\\d:.*")
                            ? OptionalInt.of(Integer.parseInt(id.substring(7, 9)))
                            : OptionalInt.empty();
                }

                @Override
                public OptionalInt ofPerson(String person) {
                    return OptionalInt.empty();
                }
            };
        }
    }

    @Autowired
    SeveralLogsTest(
            CommandGateway commands,
            EventStore events,
            HistoryReader history,
            Logs logs,
            JdbcClient database,
            PlatformTransactionManager transactions) {
        this.commands = commands;
        this.events = events;
        this.history = history;
        this.logs = logs;
        this.database = database;
        this.transaction = new TransactionTemplate(transactions);
    }

    private String parcel(int shard) {
        return String.format(Locale.ROOT, "parcel:%02d:%s", shard, run);
    }

    private static long events(Log log, String parcel) {
        return count(log, "SELECT count(*) FROM event WHERE aggregate_id = ?", parcel);
    }

    private static long count(Log log, String sql, String parcel) {
        return log.sql().sql(sql).param(parcel).query(Long.class).single();
    }

    @Test
    @DisplayName("the events of each aggregate are in the log of its shard alone, and processors follow every log")
    void spread() {
        List<String> parcels =
                IntStream.range(0, PARCELS).mapToObj(this::parcel).toList();
        parcels.forEach(parcel -> {
            commands.sendAndWait(new SendParcel(parcel, "Riga"));
            commands.sendAndWait(new MoveParcel(parcel, "Oslo"));
        });
        for (int shard = 0; shard < PARCELS; shard++) {
            String parcel = parcels.get(shard);
            Log own = logs.all().get(shard % 4);
            assertThat(logs.of(parcel)).isEqualTo(own);
            assertThat(logs.all())
                    .allSatisfy(log -> assertThat(events(log, parcel)).isEqualTo(log == own ? 2 : 0));
        }
        await().atMost(FOLLOWED_MAX)
                .untilAsserted(() -> assertThat(parcels)
                        .allSatisfy(parcel -> logs.all()
                                .forEach(log -> assertThat(
                                                count(log, "SELECT count(*) FROM arrival WHERE parcel = ?", parcel))
                                        .as("%s in %s", parcel, log)
                                        .isEqualTo(log == logs.of(parcel) ? 1 : 0))));
        assertThat(history.eventsOf(parcels))
                .extracting(DomainEventMessage::getAggregateIdentifier)
                .containsExactlyInAnyOrderElementsOf(parcels.stream()
                        .flatMap(parcel -> List.of(parcel, parcel).stream())
                        .toList());
    }

    @Test
    @DisplayName("an aggregate of no shard is in the home log")
    void home() {
        String parcel = "parcel:" + run;
        commands.sendAndWait(new SendParcel(parcel, "Riga"));
        assertThat(events(logs.home(), parcel)).isEqualTo(1);
        assertThat(logs.home()
                        .sql()
                        .sql("SELECT current_schema()")
                        .query(String.class)
                        .single())
                .isEqualTo("public");
    }

    @Test
    @DisplayName("a unit of work that writes to two logs is refused, and nothing of it is stored")
    void oneLogEach() {
        UnitOfWork<?> unit = DefaultUnitOfWork.startAndGet(new GenericEventMessage<>("a command"));
        events.publish(sent(parcel(20)));
        events.publish(sent(parcel(21)));
        assertThatThrownBy(unit::commit)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a unit of work writes to one log");
        assertThat(List.of(parcel(20), parcel(21)))
                .allSatisfy(
                        parcel -> assertThat(events(logs.of(parcel), parcel)).isZero());
    }

    private static GenericDomainEventMessage<ParcelSent> sent(String parcel) {
        return new GenericDomainEventMessage<>("parcel", parcel, 0, new ParcelSent(parcel, "Riga"));
    }

    @Test
    @DisplayName("two events in one log are one unit of work, as with one log")
    void together() {
        UnitOfWork<?> unit = DefaultUnitOfWork.startAndGet(new GenericEventMessage<>("a command"));
        events.publish(sent(parcel(22)));
        events.publish(new GenericDomainEventMessage<>("parcel", parcel(22), 1, new ParcelMoved(parcel(22), "Oslo")));
        unit.commit();
        assertThat(events(logs.of(parcel(22)), parcel(22))).isEqualTo(2);
    }

    @Test
    @DisplayName("SQL goes to the log that the thread works in, and no transaction reaches into another log")
    void current() {
        Map<Log, String> schemas = logs.all().stream().collect(Collectors.toMap(identity(), this::schema));
        assertThat(schemas.values()).containsExactlyInAnyOrder("public", "log_01", "log_02", "log_03");
        Log second = logs.all().get(1);
        transaction.executeWithoutResult(_ -> {
            assertThatThrownBy(() -> second.run(() -> {})).isInstanceOf(IllegalStateException.class);
            assertThat(second.sql()
                            .sql("SELECT current_schema()")
                            .query(String.class)
                            .single())
                    .as("SQL that names its log has a connection of its own")
                    .isEqualTo("log_01");
        });
    }

    private String schema(Log log) {
        return log.call(() -> transaction.execute(_ -> {
            String schema =
                    database.sql("SELECT current_schema()").query(String.class).single();
            assertThat(log.sql()
                            .sql("SELECT pg_current_xact_id()::text")
                            .query(String.class)
                            .single())
                    .as("the same transaction")
                    .isEqualTo(database.sql("SELECT pg_current_xact_id()::text")
                            .query(String.class)
                            .single());
            return schema;
        }));
    }
}
