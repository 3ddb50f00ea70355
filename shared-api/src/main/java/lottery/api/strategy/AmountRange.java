package lottery.api.strategy;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;

/** The range of an award of a varying amount: each amount from min to max, at their finer scale, is equally likely. */
public record AmountRange(
        @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal min,
        @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal max) {}
