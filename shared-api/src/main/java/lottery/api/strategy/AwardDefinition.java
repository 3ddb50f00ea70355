package lottery.api.strategy;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One prize of a strategy.
 *
 * @param config what fulfilment needs to hand it over; a TEXT award has its {@code text} there
 * @param rate the exact share of draws that win it
 * @param sort its place on the wheel
 * @param lockedUntilDraws how many draws a user must have made on a day before a draw can win it; 0 for none
 */
public record AwardDefinition(
        int awardId,
        String title,
        @Nullable String subtitle,
        AwardType type,
        Map<String, String> config,
        @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal rate,
        int sort,
        int lockedUntilDraws) {

    public AwardDefinition {
        config = Map.copyOf(config);
    }
}
