package lottery.api.pool;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import lottery.api.raffle.RaffleOrderId;
import org.jspecify.annotations.Nullable;

/**
 * One win of a pool.
 *
 * @param place the place of the entry in the order of the draw, from 1 on
 * @param orderId the id of the raffle order that is the entry
 * @param amount the amount of the award, if it varies
 */
public record PoolWin(
        int place,
        int entryNo,
        RaffleOrderId orderId,
        int awardId,

        @Nullable @JsonFormat(shape = JsonFormat.Shape.STRING)
        BigDecimal amount) {}
