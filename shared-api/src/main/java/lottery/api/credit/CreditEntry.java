package lottery.api.credit;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A line of a user's statement.
 *
 * @param entry the number of the booking, counted per user from 1
 * @param amount the number of credits; negative if they were spent
 * @param balance the balance after it
 */
public record CreditEntry(
        long entry,
        @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal amount,
        @JsonFormat(shape = JsonFormat.Shape.STRING) BigDecimal balance,
        String businessNo,
        @Nullable String reason,
        Instant at) {}
