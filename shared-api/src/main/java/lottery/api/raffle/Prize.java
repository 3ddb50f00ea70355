package lottery.api.raffle;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import lottery.api.strategy.AwardType;
import org.jspecify.annotations.Nullable;

/**
 * An award as it is shown to the user who drew it.
 *
 * @param amount the amount of the award, if it varies
 */
public record Prize(
        int awardId,
        String title,
        AwardType type,
        int sort,

        @Nullable @JsonFormat(shape = JsonFormat.Shape.STRING)
        BigDecimal amount) {}
