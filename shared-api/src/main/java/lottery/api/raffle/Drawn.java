package lottery.api.raffle;

import java.time.Instant;
import lottery.api.award.AwardRecordId;
import org.jspecify.annotations.Nullable;

/** A draw and its outcome: the answer to the one who drew. */
public record Drawn(
        RaffleOrderId orderId,
        Outcome outcome,
        @Nullable Prize award,
        @Nullable AwardRecordId awardRecordId,
        int strategyVersion,
        Instant drawnAt) {}
