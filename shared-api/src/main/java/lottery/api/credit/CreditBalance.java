package lottery.api.credit;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import lottery.api.UserId;

/**
 * What a user has.
 *
 * @param entries how many bookings have made it that
 */
public record CreditBalance(
        UserId userId,
        @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal balance,
        long entries) {}
