package lottery.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import lottery.store.Conflicts.Fail;
import lottery.store.Parcel.MoveParcel;
import lottery.store.Parcel.ParcelMoved;
import lottery.store.Parcel.SendParcel;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.common.caching.Cache;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.messaging.GenericMessage;
import org.axonframework.messaging.unitofwork.DefaultUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.axonframework.modelling.command.ConcurrencyException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

@DisplayName("Commands for several aggregates in one unit of work")
@SpringBootTest(classes = TestStore.class)
@ResourceLock(TestStore.DATABASE)
class SeveralCommandsTest {

    private static final long ANSWER_WAIT_MAX_SECONDS = 10;

    private final CommandGateway commands;
    private final EventStore events;
    private final Cache parcels;

    private final List<String> ids =
            List.of("parcel:" + UUID.randomUUID(), "parcel:" + UUID.randomUUID(), "parcel:" + UUID.randomUUID());

    @Autowired
    SeveralCommandsTest(CommandGateway commands, EventStore events, Cache parcels) {
        this.commands = commands;
        this.events = events;
        this.parcels = parcels;
    }

    @BeforeEach
    void sendParcels() {
        for (String id : ids) {
            send(new SendParcel(id, "Riga"));
            assertThat(parcels.containsKey(id)).as("in the cache").isTrue();
        }
    }

    private Object send(Object command) {
        return commands.send(command)
                .orTimeout(ANSWER_WAIT_MAX_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    /** Moves a parcel on a thread of its own, which has to wait if the aggregate is locked. */
    private Object move(String id) {
        return CompletableFuture.supplyAsync(() -> send(new MoveParcel(id, "Oslo")))
                .orTimeout(ANSWER_WAIT_MAX_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    private void together(Object... all) {
        UnitOfWork<?> together = DefaultUnitOfWork.startAndGet(new GenericMessage<>("together"));
        try {
            for (Object command : all) {
                send(command);
            }
        } catch (RuntimeException e) {
            together.rollback(e);
            throw e;
        }
        together.commit();
    }

    private long eventsOf(String id) {
        return events.readEvents(id).asStream().count();
    }

    @Test
    @DisplayName("are stored in one piece, and go on from there")
    void stored() {
        together(
                new MoveParcel(ids.get(0), "Oslo"),
                new MoveParcel(ids.get(1), "Oslo"),
                new MoveParcel(ids.get(0), "Bergen"));
        assertThat(eventsOf(ids.get(0))).isEqualTo(3);
        assertThat(eventsOf(ids.get(1))).isEqualTo(2);
        assertThat(move(ids.get(0))).isEqualTo(3);
        assertThat(move(ids.get(1))).isEqualTo(2);
    }

    @Test
    @DisplayName("leave nothing behind when one of them fails: not in the log, not in the cache, and no lock")
    void oneFails() {
        assertThatThrownBy(() -> together(
                        new MoveParcel(ids.get(0), "Oslo"), new Fail(1, () -> new IllegalStateException("a bug"))))
                .hasRootCauseMessage("a bug");
        assertThat(eventsOf(ids.get(0))).isEqualTo(1);
        assertThat(move(ids.get(0))).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "leave nothing behind when another node was faster with one of them, and succeed one by one afterwards")
    void anotherNode() {
        events.publish(new GenericDomainEventMessage<>("parcel", ids.get(1), 1, new ParcelMoved(ids.get(1), "Oslo")));
        assertThatThrownBy(() -> together(
                        ids.stream().map(id -> new MoveParcel(id, "Bergen")).toArray()))
                .isInstanceOf(ConcurrencyException.class);
        assertThat(ids).map(this::eventsOf).containsExactly(1L, 2L, 1L);
        assertThat(ids).map(this::move).containsExactly(1, 2, 1);
    }
}
