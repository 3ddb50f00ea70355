package lottery.raffle;

import java.util.Optional;
import lottery.api.award.AwardRecordId;
import lottery.api.raffle.Drawn;
import lottery.api.raffle.RaffleEvent;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleOrderId;
import org.axonframework.eventsourcing.eventstore.DomainEventStream;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.stereotype.Component;

/** Draws that were made, read from what happened. */
@Component
public class Draws {

    private final EventStore events;

    Draws(EventStore events) {
        this.events = events;
    }

    public Optional<Drawn> find(RaffleOrderId orderId) {
        DomainEventStream history = events.readEvents(orderId.text());
        Optional<Drawn> draw = Optional.empty();
        while (history.hasNext()) {
            draw = switch ((RaffleEvent) history.next().getPayload()) {
                case RaffleDrawn drawn -> Optional.of(answer(drawn));
            };
        }
        return draw;
    }

    /** What the one who drew is told: the same now and whenever it is asked again. */
    public static Drawn answer(RaffleDrawn drawn) {
        return new Drawn(
                drawn.orderId(),
                drawn.outcome(),
                drawn.award(),
                drawn.award() == null ? null : AwardRecordId.of(drawn.orderId()),
                drawn.strategyVersion(),
                drawn.drawnAt());
    }
}
