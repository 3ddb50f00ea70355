package lottery.api.credit;

import java.math.BigDecimal;
import lottery.api.Command;
import lottery.api.UserId;
import org.jspecify.annotations.Nullable;

/** The commands to a user's credit account. */
public sealed interface CreditCommand extends Command<CreditBookingResult> {

    UserId userId();

    @Override
    default CreditAccountId target() {
        return new CreditAccountId(userId());
    }

    /**
     * Gives or spends credits, once per business number.
     *
     * @param amount the number of credits; negative if they are spent
     * @param businessNo the id of the award record for an award, and the id of the recharge for a recharge; other
     *     bookings must not use such an id
     * @param reason a text for people
     */
    record BookCredits(
            UserId userId,
            BigDecimal amount,
            String businessNo,
            @Nullable String reason) implements CreditCommand {

        /** The beginning of the business number of an award. */
        public static final String OF_AWARD = "award:";

        /** The beginning of the business number of a recharge that was paid for. */
        public static final String OF_RECHARGE = "recharge:";

        public static final int BUSINESS_NO_LENGTH_MAX = 128;

        public BookCredits {
            if (!CreditAmount.isPossible(amount)) {
                throw new IllegalArgumentException("nobody can book so many credits");
            }
            amount = CreditAmount.plain(amount);
        }
    }
}
