package lottery.saga.desk;

import java.math.BigDecimal;
import java.util.Objects;
import java.util.Optional;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.strategy.AwardDefinition;
import lottery.api.strategy.StrategyEvent;
import lottery.store.axon.EventStreams;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.stereotype.Component;

/** Reads the cost of a won award from the version of the strategy that has drawn it. */
@Component
final class AwardCostReader {

    private final EventStore events;

    AwardCostReader(EventStore events) {
        this.events = events;
    }

    /**
     * Returns the cost. If the amount of the award varies, the cost in the strategy is for one unit, and is multiplied
     * by the drawn amount. If the strategy names no cost for the award, the result is 0, as in forecasts and figures.
     * The result is also 0 for an award without a draw of its own, such as a substitute. Such an award has no remedy.
     *
     * @throws IllegalStateException if the log has the draw, but not the version of the strategy that has drawn the
     *     award, or if that version does not define the award
     */
    BigDecimal costOf(AwardWon won) {
        return drawOf(won)
                .map(drawn -> definitionOf(won.award(), drawn))
                .map(AwardDefinition::cost)
                .map(cost ->
                        cost.multiply(Objects.requireNonNullElse(won.award().amount(), BigDecimal.ONE)))
                .orElse(BigDecimal.ZERO);
    }

    private Optional<RaffleDrawn> drawOf(AwardWon won) {
        String order = new RaffleOrderId(won.awardRecordId().key()).text();
        return EventStreams.select(events, order, RaffleDrawn.class).findFirst();
    }

    /** Returns the award's definition in the version that has drawn it. */
    private AwardDefinition definitionOf(Prize award, RaffleDrawn drawn) {
        return EventStreams.select(events, drawn.strategyId().text(), StrategyEvent.class)
                .filter(version -> version.version() == drawn.strategyVersion())
                .flatMap(version -> version.definition().awards().stream())
                .filter(defined -> defined.awardId() == award.awardId())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(drawn.orderId() + " was drawn by a strategy"));
    }
}
