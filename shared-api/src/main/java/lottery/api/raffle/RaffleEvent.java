package lottery.api.raffle;

import java.time.Instant;
import java.util.List;
import lottery.api.EventName;
import lottery.api.OfUser;
import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.strategy.StrategyId;
import org.jspecify.annotations.Nullable;

/** What happened to a draw. */
public sealed interface RaffleEvent extends OfUser {

    RaffleOrderId orderId();

    /**
     * The draw was decided. Whoever has this event and the strategy's version can decide it again and must find the
     * same.
     *
     * @param round which start of the activity it belongs to: its seed made the ticket
     * @param drawsBefore how many draws the user had made in the activity before this one
     * @param drawsBeforeToday how many of these on the same day
     * @param soldOut the awards that could not be had at that moment, in ascending order
     * @param ticket the randomness that this draw was decided with, 256 bits in hexadecimal
     * @param award what was won, if anything
     */
    @EventName("raffle.drawn")
    record RaffleDrawn(
            RaffleOrderId orderId,
            ActivityId activityId,
            UserId userId,
            StrategyId strategyId,
            int strategyVersion,
            int round,
            int drawsBefore,
            int drawsBeforeToday,
            List<Integer> soldOut,
            String ticket,
            Outcome outcome,
            @Nullable Prize award,
            Instant drawnAt)
            implements RaffleEvent {

        public RaffleDrawn {
            soldOut = List.copyOf(soldOut);
        }
    }
}
