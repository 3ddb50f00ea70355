package lottery.proof;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import lottery.api.pool.PoolEvent;
import lottery.api.pool.PoolEvent.PoolFrozen;
import lottery.api.pool.PoolEvent.PoolOrdered;
import lottery.api.pool.PoolEvent.PoolPageDrawn;
import lottery.api.pool.PoolId;
import lottery.api.pool.PoolWin;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.strategy.StrategyId;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventsourcing.eventstore.EmbeddedEventStore;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.eventsourcing.eventstore.inmemory.InMemoryEventStorageEngine;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PoolEvidenceReaderTest {

    private static final PoolId POOL = new PoolId(SampleDraws.ACTIVITY);
    private static final PoolFrozen FROZEN = new PoolFrozen(
            SampleDraws.ACTIVITY, 1, "00", 1, new StrategyId(7), 1, "hash of 1", "beacon", "1", Instant.EPOCH, 0);
    private static final PoolWin WIN =
            new PoolWin(1, 1, RaffleOrderId.of("order:33-07226822-d971-81cf-8edd-f6a317c687d5"), 1, null);

    private final EventStore log = EmbeddedEventStore.builder()
            .storageEngine(new InMemoryEventStorageEngine())
            .build();
    private final PoolEvidenceReader pools = new PoolEvidenceReader(log, (_, _) -> List.of());

    private void store(int sequence, PoolEvent event) {
        log.publish(new GenericDomainEventMessage<>("pool", POOL.text(), sequence, event));
    }

    private List<PoolWin> wins(PoolEvidenceReader.PublishedPool pool) {
        List<PoolWin> wins = new ArrayList<>();
        pools.<RuntimeException>wins(pool, wins::add);
        return wins;
    }

    @Test
    @DisplayName("A pool that is drawn while its entries are read has no wins without the order to check them by")
    void drawnMeanwhile() {
        store(0, FROZEN);
        PoolEvidenceReader.PublishedPool before =
                pools.find(SampleDraws.ACTIVITY).orElseThrow();
        store(1, new PoolOrdered(SampleDraws.ACTIVITY, "00", "00", 1, 0));
        store(2, new PoolPageDrawn(SampleDraws.ACTIVITY, List.of(WIN)));
        assertThat(wins(before)).isEmpty();
        assertThat(wins(pools.find(SampleDraws.ACTIVITY).orElseThrow())).containsExactly(WIN);
    }
}
