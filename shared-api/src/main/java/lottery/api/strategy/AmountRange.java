package lottery.api.strategy;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;

/**
 * The range of an award whose amount varies. Each amount from min to max, at the finer scale of the two, is equally
 * likely.
 */
public record AmountRange(
        @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal min,
        @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal max) {}
