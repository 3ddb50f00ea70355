package lottery.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import lottery.store.Parcel.MoveParcel;
import lottery.store.Parcel.ParcelMoved;
import lottery.store.Parcel.SendParcel;
import lottery.store.trace.TraceId;
import org.axonframework.commandhandling.GenericCommandMessage;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

@DisplayName("The trace id of a request")
@SpringBootTest(classes = TestStore.class)
@ResourceLock(TestStore.DATABASE)
class TraceTest {

    private static final Duration HANDLED_MAX = Duration.ofSeconds(20);

    private final CommandGateway commands;
    private final EventStore events;
    private final Arrivals arrivals;
    private final TraceId id = TraceId.fresh();

    private String parcel = "";

    @Autowired
    TraceTest(CommandGateway commands, EventStore events, Arrivals arrivals) {
        this.commands = commands;
        this.events = events;
        this.arrivals = arrivals;
    }

    @BeforeEach
    void anotherParcel() {
        parcel = "parcel:" + UUID.randomUUID();
    }

    @Test
    @DisplayName("goes from the thread to the command and to each of its events, as their only metadata")
    void toEvents() {
        try (var _ = TraceId.open(id)) {
            commands.sendAndWait(new SendParcel(parcel, "Riga"));
        }
        assertThat(last()).isEqualTo(Map.of("traceId", id.text()));
    }

    @Test
    @DisplayName("is that of the command, even if its thread works for another request")
    void ofCommand() {
        try (var _ = TraceId.open(TraceId.fresh())) {
            commands.sendAndWait(new GenericCommandMessage<>(new SendParcel(parcel, "Riga"), id.metaData()));
        }
        assertThat(last()).isEqualTo(Map.of("traceId", id.text()));
        assertThat(TraceId.current()).isEmpty();
    }

    @Test
    @DisplayName("is a new one, of the same form, where there is no request")
    void nobody() {
        commands.sendAndWait(new SendParcel(parcel, "Riga"));
        String first = (String) last().get("traceId");
        assertThat(first).matches("[0-9a-f]{32}");
        commands.sendAndWait(new MoveParcel(parcel, "Oslo"));
        assertThat(last().get("traceId")).isNotEqualTo(first);
    }

    @Test
    @DisplayName("is set on the thread of a processor while it handles an event")
    void toProcessors() {
        append(0, "Oslo", Map.of("traceId", id.text()));
        append(1, "Visby", Map.of());
        await().atMost(HANDLED_MAX)
                .untilAsserted(() -> assertThat(arrivals.traces(parcel)).containsExactly(id.text(), "none"));
    }

    private void append(long sequence, String place, Map<String, String> metaData) {
        events.publish(new GenericDomainEventMessage<>("parcel", parcel, sequence, new ParcelMoved(parcel, place))
                .withMetaData(metaData));
    }

    private Map<String, Object> last() {
        return Map.copyOf(
                events.readEvents(parcel).asStream().toList().getLast().getMetaData());
    }
}
