package lottery.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.UUID;
import lottery.store.Parcel.MoveParcel;
import lottery.store.Parcel.ParcelEvent;
import lottery.store.Parcel.ParcelMoved;
import lottery.store.Parcel.ParcelSent;
import lottery.store.Parcel.SendParcel;
import lottery.store.axon.EventStreams;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.common.caching.Cache;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("A snapshot")
@SpringBootTest(classes = TestStore.class)
@ResourceLock(TestStore.DATABASE)
class SnapshotTest {

    private static final Duration TAKEN_MAX = Duration.ofSeconds(30);

    private final CommandGateway commands;
    private final EventStore events;
    private final Cache parcels;
    private final JdbcClient database;

    @Autowired
    SnapshotTest(CommandGateway commands, EventStore events, Cache parcels, JdbcClient database) {
        this.commands = commands;
        this.events = events;
        this.parcels = parcels;
        this.database = database;
    }

    @Test
    @DisplayName("whose class is gone is ignored, and replaced by the next one")
    void classGone() {
        String parcel = "parcel:" + UUID.randomUUID();
        commands.sendAndWait(new SendParcel(parcel, "Riga"));
        move(parcel, 12);
        await().atMost(TAKEN_MAX).until(() -> !typeOf(parcel).isEmpty());
        database.sql("UPDATE snapshot SET type = 'lottery.store.ParcelAsItWas' WHERE aggregate_id = ?")
                .param(parcel)
                .update();
        parcels.removeAll();

        assertThat(move(parcel, 1)).isEqualTo(13);

        move(parcel, 12);
        await().atMost(TAKEN_MAX).until(() -> typeOf(parcel).equals(Parcel.class.getName()));
        parcels.removeAll();
        assertThat(move(parcel, 1)).isEqualTo(26);
    }

    @ParameterizedTest
    @ValueSource(strings = {"no JSON", "{\"moves\": \"many\"}", "[]", "null"})
    @DisplayName("that cannot be read is ignored, and replaced by the next one")
    void unreadable(String payload) {
        String parcel = "parcel:" + UUID.randomUUID();
        commands.sendAndWait(new SendParcel(parcel, "Riga"));
        move(parcel, 12);
        await().atMost(TAKEN_MAX).until(() -> !typeOf(parcel).isEmpty());
        database.sql("UPDATE snapshot SET payload = convert_to(?, 'UTF8') WHERE aggregate_id = ?")
                .params(payload, parcel)
                .update();
        parcels.removeAll();

        assertThat(move(parcel, 1)).isEqualTo(13);

        await().atMost(TAKEN_MAX).until(() -> !payloadOf(parcel).equals(payload));
        parcels.removeAll();
        assertThat(move(parcel, 1)).isEqualTo(14);
    }

    @Test
    @DisplayName("is not read with the events from the first one on")
    void allEvents() {
        String parcel = "parcel:" + UUID.randomUUID();
        commands.sendAndWait(new SendParcel(parcel, "Riga"));
        move(parcel, 12);
        await().atMost(TAKEN_MAX).until(() -> !typeOf(parcel).isEmpty());

        assertThat(events.readEvents(parcel).next().getPayload()).isInstanceOf(Parcel.class);
        assertThat(EventStreams.<ParcelEvent>first(events, parcel)).contains(new ParcelSent(parcel, "Riga"));
        assertThat(EventStreams.<Integer, ParcelEvent>fold(events, parcel, (count, _) -> count == null ? 1 : count + 1))
                .contains(13);
        assertThat(EventStreams.select(events, parcel, ParcelMoved.class)).hasSize(12);
    }

    private int move(String parcel, int times) {
        int moves = 0;
        for (int i = 0; i < times; i++) {
            moves = commands.<Integer>sendAndWait(new MoveParcel(parcel, "place " + i));
        }
        return moves;
    }

    private String payloadOf(String parcel) {
        return database.sql("SELECT convert_from(payload, 'UTF8') FROM snapshot WHERE aggregate_id = ?")
                .param(parcel)
                .query(String.class)
                .single();
    }

    private String typeOf(String parcel) {
        return database.sql("SELECT type FROM snapshot WHERE aggregate_id = ?")
                .param(parcel)
                .query(String.class)
                .optional()
                .orElse("");
    }
}
