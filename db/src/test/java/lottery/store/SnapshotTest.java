package lottery.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.UUID;
import lottery.store.Parcel.MoveParcel;
import lottery.store.Parcel.SendParcel;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.common.caching.Cache;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;

@DisplayName("A snapshot")
@SpringBootTest(classes = TestStore.class)
@ResourceLock(TestStore.DATABASE)
class SnapshotTest {

    private static final Duration TAKEN_MAX = Duration.ofSeconds(30);

    private final CommandGateway commands;
    private final Cache parcels;
    private final JdbcClient database;

    @Autowired
    SnapshotTest(CommandGateway commands, Cache parcels, JdbcClient database) {
        this.commands = commands;
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

    private int move(String parcel, int times) {
        int moves = 0;
        for (int i = 0; i < times; i++) {
            moves = commands.<Integer>sendAndWait(new MoveParcel(parcel, "place " + i));
        }
        return moves;
    }

    private String typeOf(String parcel) {
        return database.sql("SELECT type FROM snapshot WHERE aggregate_id = ?")
                .param(parcel)
                .query(String.class)
                .optional()
                .orElse("");
    }
}
