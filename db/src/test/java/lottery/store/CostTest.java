package lottery.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import lottery.store.Parcel.MoveParcel;
import lottery.store.Parcel.SendParcel;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.common.caching.Cache;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("What a command costs:")
@SpringBootTest(classes = TestStore.class)
@ResourceLock(TestStore.DATABASE)
@Import(RecordedStatements.class)
class CostTest {

    private static final Duration DONE_MAX = Duration.ofSeconds(30);
    private static final int PARCELS = 90;

    private final CommandGateway commands;
    private final EventStore events;
    private final Cache parcels;
    private final RecordedStatements statements;
    private final JdbcClient database;

    @Autowired
    CostTest(
            CommandGateway commands,
            EventStore events,
            Cache parcels,
            RecordedStatements statements,
            JdbcClient database) {
        this.commands = commands;
        this.events = events;
        this.parcels = parcels;
        this.statements = statements;
        this.database = database;
    }

    @Test
    @DisplayName("one statement, if its aggregate is cached")
    void cached() {
        String parcel = sent();
        assertThat(statements.ofAllDuring("log_append", () -> commands.sendAndWait(new MoveParcel(parcel, "Oslo"))))
                .hasSize(1);
        assertThat(statements.during("FROM", () -> commands.sendAndWait(new MoveParcel(parcel, "Bergen"))))
                .as("by the caller's own thread")
                .isEmpty();
    }

    @Test
    @DisplayName("three statements, if its aggregate has to be read")
    void read() {
        String parcel = sent();
        parcels.removeAll();
        assertThat(statements.during("FROM", () -> commands.sendAndWait(new MoveParcel(parcel, "Oslo"))))
                .as("by the caller's own thread: the snapshot, and the events after it")
                .hasSize(2);
    }

    @Test
    @DisplayName("less than half a statement and half a sync, if many come at once")
    void together() {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < PARCELS; i++) {
            all.add(sent());
        }
        long syncsBefore = syncs();
        int rounds = 10;
        List<String> executed = statements.ofAllDuring("log_append", () -> {
            for (int round = 0; round < rounds; round++) {
                moveAll(all, "place " + round);
            }
        });
        assertThat(executed).hasSizeLessThan(rounds * PARCELS / 2);
        await().atMost(DONE_MAX)
                .untilAsserted(() -> assertThat(syncs() - syncsBefore)
                        .as("syncs of %d commands", rounds * PARCELS)
                        .isPositive()
                        .isLessThan(rounds * PARCELS / 2));
    }

    private void moveAll(List<String> all, String place) {
        List<CompletableFuture<?>> moves = new ArrayList<>();
        for (String parcel : all) {
            CompletableFuture<Object> moved = new CompletableFuture<>();
            moves.add(moved);
            Thread.ofVirtual().start(() -> moved.complete(commands.sendAndWait(new MoveParcel(parcel, place))));
        }
        CompletableFuture.allOf(moves.toArray(CompletableFuture[]::new))
                .orTimeout(DONE_MAX.toSeconds(), TimeUnit.SECONDS)
                .join();
    }

    @Test
    @DisplayName("no more than ten events to read, if snapshots are taken every ten, on another thread")
    void snapshots() {
        String parcel = sent();
        for (int i = 1; i <= 25; i++) {
            commands.sendAndWait(new MoveParcel(parcel, "place " + i));
            if (i % 10 == 0) {
                // Axon takes no snapshot while it still takes the one before, and would do so after ten more events.
                int taken = i - 1;
                await().atMost(DONE_MAX).until(() -> snapshotOf(parcel) >= taken);
            }
        }
        assertThat(events.readEvents(parcel).asStream().count()).isLessThanOrEqualTo(11);
        parcels.removeAll();
        assertThat(commands.<Integer>sendAndWait(new MoveParcel(parcel, "Oslo")))
                .isEqualTo(26);
    }

    private long snapshotOf(String parcel) {
        return database.sql("SELECT sequence FROM snapshot WHERE aggregate_id = ?")
                .param(parcel)
                .query(Long.class)
                .optional()
                .orElse(-1L);
    }

    private String sent() {
        String parcel = "parcel:" + UUID.randomUUID();
        commands.sendAndWait(new SendParcel(parcel, "Riga"));
        return parcel;
    }

    /** Returns the syncs of PostgreSQL's write-ahead log, by all processes. */
    private long syncs() {
        return database.sql("SELECT coalesce(sum(fsyncs), 0)::bigint FROM pg_stat_io WHERE object = 'wal'")
                .query(Long.class)
                .single();
    }
}
