package lottery.api.credit;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import lottery.api.UserId;

/**
 * The balance of a user's credit account.
 *
 * @param entries the number of bookings that have led to it
 */
public record CreditBalance(
        UserId userId,
        @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal balance,
        long entries) {}
