package lottery.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import lottery.store.Parcel.ParcelMoved;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventhandling.GlobalSequenceTrackingToken;
import org.axonframework.eventhandling.Segment;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.eventhandling.tokenstore.TokenStore;
import org.axonframework.eventhandling.tokenstore.UnableToClaimTokenException;
import org.axonframework.eventsourcing.eventstore.EventStorageEngine;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

@DisplayName("The store keeps what Axon expects of it:")
@SpringBootTest(classes = TestStore.class)
@ResourceLock(TestStore.DATABASE)
class AxonContractTest {

    /** More than the engine reads at once. */
    private static final int MANY = 1_200;

    private final EventStore events;
    private final EventStorageEngine engine;
    private final TokenStore tokens;
    private final String parcel = "parcel:" + UUID.randomUUID();
    private final String processor = "processor-" + UUID.randomUUID();

    @Autowired
    AxonContractTest(EventStore events, EventStorageEngine engine, TokenStore tokens) {
        this.events = events;
        this.engine = engine;
        this.tokens = tokens;
    }

    private void move(long from, long to) {
        events.publish(LongStream.range(from, to)
                .mapToObj(sequence -> new GenericDomainEventMessage<>(
                        "parcel", parcel, sequence, new ParcelMoved(parcel, "place " + sequence)))
                .toList());
    }

    private List<Long> ours(TrackingToken from) {
        return engine.readEvents(from, false)
                .filter(event -> event instanceof DomainEventMessage<?> moved
                        && moved.getAggregateIdentifier().equals(parcel))
                .map(event -> ((DomainEventMessage<?>) event).getSequenceNumber())
                .toList();
    }

    @Test
    @DisplayName("a read from a token goes on to the end of the log.")
    void allPages() {
        TrackingToken begin = events.createHeadToken();
        move(0, MANY / 2);
        move(MANY / 2, MANY);
        assertThat(ours(begin))
                .containsExactlyElementsOf(LongStream.range(0, MANY).boxed().toList());
    }

    @Test
    @DisplayName("a read from the end of the log finds what comes later.")
    void afterTheEnd() {
        TrackingToken end = events.createHeadToken();
        Iterator<? extends TrackedEventMessage<?>> reading =
                engine.readEvents(end, false).iterator();
        move(0, 1);
        assertThat(reading.hasNext()).isTrue();
        assertThat(ours(end)).containsExactly(0L);
    }

    @Test
    @DisplayName("segments begin without a token, once.")
    void segments() {
        tokens.initializeTokenSegments(processor, 2);
        assertThat(tokens.fetchSegments(processor)).containsExactly(0, 1);
        assertThat(tokens.fetchToken(processor, 0)).isNull();
        assertThatThrownBy(() -> tokens.initializeTokenSegments(processor, 2))
                .isInstanceOf(UnableToClaimTokenException.class);
    }

    @Test
    @DisplayName("a segment that was split or merged meanwhile is not claimed.")
    void splitAndMerged() {
        TrackingToken token = new GlobalSequenceTrackingToken(7);
        tokens.initializeTokenSegments(processor, 1, token);
        assertThat(tokens.fetchToken(processor, Segment.ROOT_SEGMENT)).isEqualTo(token);
        Segment[] halves = Segment.ROOT_SEGMENT.split();
        tokens.initializeSegment(token, processor, halves[1].getSegmentId());
        assertThatThrownBy(() -> tokens.fetchToken(processor, Segment.ROOT_SEGMENT))
                .isInstanceOf(UnableToClaimTokenException.class);
        assertThat(tokens.fetchToken(processor, halves[0])).isEqualTo(token);
        assertThat(tokens.fetchToken(processor, halves[1])).isEqualTo(token);

        tokens.deleteToken(processor, halves[1].getSegmentId());
        assertThatThrownBy(() -> tokens.fetchToken(processor, halves[0]))
                .isInstanceOf(UnableToClaimTokenException.class);
        assertThat(tokens.fetchToken(processor, Segment.ROOT_SEGMENT)).isEqualTo(token);
    }
}
