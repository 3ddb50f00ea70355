package lottery.api.strategy;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;

/**
 * The range of an award whose amount varies. Each amount from min to max is equally likely. The amounts have as many
 * decimals as min or max, whichever has more.
 */
public record AmountRange(
        @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal min,
        @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal max) {}
