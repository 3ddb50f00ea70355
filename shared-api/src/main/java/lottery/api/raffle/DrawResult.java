package lottery.api.raffle;

import com.fasterxml.jackson.annotation.JsonRootName;
import java.time.Instant;
import lottery.api.award.AwardRecordId;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import org.jspecify.annotations.Nullable;

/**
 * A draw and its outcome, as the user gets it in the answer to the request, and again whenever the request is repeated.
 * The root name is the name of its schema in the contract.
 */
@JsonRootName("Drawn")
public record DrawResult(
        RaffleOrderId orderId,
        Outcome outcome,
        @Nullable Prize award,
        @Nullable AwardRecordId awardRecordId,
        int strategyVersion,
        Instant drawnAt) {

    public static DrawResult of(RaffleDrawn drawn) {
        return new DrawResult(
                drawn.orderId(),
                drawn.outcome(),
                drawn.award(),
                drawn.award() == null ? null : AwardRecordId.of(drawn.orderId()),
                drawn.strategyVersion(),
                drawn.drawnAt());
    }
}
