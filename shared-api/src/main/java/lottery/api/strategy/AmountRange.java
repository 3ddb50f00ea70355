package lottery.api.strategy;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;

/** What an award of a varying amount comes to: each amount from min to max, at their finer scale, is as likely. */
public record AmountRange(
        @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal min,
        @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal max) {}
