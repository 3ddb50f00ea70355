package lottery.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import lottery.store.Conflicts.Fail;
import lottery.store.Parcel.CountMoves;
import lottery.store.Parcel.MoveParcel;
import lottery.store.Parcel.ParcelMoved;
import lottery.store.Parcel.ParcelSent;
import lottery.store.Parcel.SendAnother;
import lottery.store.Parcel.SendParcel;
import lottery.store.Parcel.SendUnknownParcel;
import lottery.store.axon.AggregateAlreadyExistsException;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.common.caching.Cache;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.messaging.Message;
import org.axonframework.modelling.command.AggregateStreamCreationException;
import org.axonframework.modelling.command.ConcurrencyException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

@DisplayName("A command that fails")
@SpringBootTest(classes = TestStore.class)
@ResourceLock(TestStore.DATABASE)
class ConflictRetryTest {

    private static final long ANSWER_WAIT_MAX_SECONDS = 10;

    private final CommandGateway commands;
    private final EventStore events;
    private final Cache parcels;

    @Autowired
    ConflictRetryTest(CommandGateway commands, EventStore events, Cache parcels) {
        this.commands = commands;
        this.events = events;
        this.parcels = parcels;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    @DisplayName("by a conflict is sent again, three times at most")
    void retried(int conflicts) {
        Fail command = new Fail(conflicts, () -> new ConcurrencyException("another node was faster"));
        assertThat(send(command)).isEqualTo(conflicts + 1);
    }

    @Test
    @DisplayName("by a fourth conflict has failed")
    void givesUp() {
        Fail command = new Fail(4, () -> new ConcurrencyException("another node was faster"));
        assertThatThrownBy(() -> send(command)).isInstanceOf(ConcurrencyException.class);
        assertThat(command.attempts()).hasValue(4);
    }

    static Iterable<Named<Supplier<? extends RuntimeException>>> others() {
        return List.of(
                Named.of("a bug", () -> new IllegalStateException("a bug")),
                Named.of("an id that exists", () -> new AggregateStreamCreationException("it exists")));
    }

    @ParameterizedTest
    @MethodSource("others")
    @DisplayName("by anything else is not sent again")
    void notRetried(Supplier<? extends RuntimeException> failure) {
        Fail command = new Fail(1, failure);
        assertThatThrownBy(() -> send(command)).isInstanceOf(failure.get().getClass());
        assertThat(command.attempts()).hasValue(1);
    }

    @Test
    @DisplayName("because another node has changed a cached aggregate is decided again, on the stored events")
    void anotherNode() {
        String parcel = "parcel:" + UUID.randomUUID();
        send(new SendParcel(parcel, "Riga"));
        assertThat(parcels.containsKey(parcel)).as("in the cache").isTrue();
        events.publish(new GenericDomainEventMessage<>("parcel", parcel, 1, new ParcelMoved(parcel, "Oslo")));
        assertThat(send(new MoveParcel(parcel, "Bergen")))
                .as("moves of this parcel, the other node's included")
                .isEqualTo(2);
    }

    @Test
    @DisplayName(
            "to notice that another node has changed a cached aggregate is decided again, even if it writes nothing")
    void anotherNodeUnnoticed() {
        String parcel = "parcel:" + UUID.randomUUID();
        send(new SendParcel(parcel, "Riga"));
        assertThat(send(new CountMoves(parcel))).isEqualTo(0);
        assertThat(parcels.containsKey(parcel)).as("in the cache").isTrue();
        events.publish(new GenericDomainEventMessage<>("parcel", parcel, 1, new ParcelMoved(parcel, "Oslo")));
        assertThat(send(new CountMoves(parcel)))
                .as("moves of this parcel, the other node's included")
                .isEqualTo(1);
    }

    @Test
    @DisplayName("to notice such a change stores nothing that it decided on outdated state, in other aggregates either")
    void anotherNodeUnnoticedByAnother() {
        String parcel = "parcel:" + UUID.randomUUID();
        send(new SendParcel(parcel, "Riga"));
        events.publish(new GenericDomainEventMessage<>("parcel", parcel, 1, new ParcelMoved(parcel, "Oslo")));
        send(new SendAnother(parcel));
        assertThat(events.readEvents(parcel + "/0").hasNext()).isFalse();
        assertThat(events.readEvents(parcel + "/1").hasNext()).isTrue();
    }

    @Test
    @DisplayName("because another node has just created what it did not find is decided again, and finds it")
    void createdElsewhere() {
        String parcel = "parcel:" + UUID.randomUUID();
        AtomicInteger attempts = new AtomicInteger();
        SendUnknownParcel command = new SendUnknownParcel(parcel, () -> {
            if (attempts.incrementAndGet() == 1) {
                CompletableFuture.runAsync(() -> events.publish(
                                new GenericDomainEventMessage<>("parcel", parcel, 0, new ParcelSent(parcel, "Oslo"))))
                        .join();
            }
        });
        assertThat(send(command)).as("it was not known").isEqualTo(false);
        assertThat(attempts).hasValue(2);
        assertThat(events.readEvents(parcel).asStream().<Object>map(Message::getPayload))
                .containsExactly(new ParcelSent(parcel, "Oslo"));
    }

    @Test
    @DisplayName("because it creates what exists, without a look for it, is not sent again")
    void createsBlindly() {
        String parcel = "parcel:" + UUID.randomUUID();
        send(new SendParcel(parcel, "Riga"));
        assertThatThrownBy(() -> send(new SendParcel(parcel, "Oslo")))
                .isInstanceOfSatisfying(
                        AggregateAlreadyExistsException.class,
                        e -> assertThat(e.aggregateIds()).containsExactly(parcel));
    }

    private Object send(Object command) {
        return commands.sendAndWait(command, ANSWER_WAIT_MAX_SECONDS, TimeUnit.SECONDS);
    }
}
