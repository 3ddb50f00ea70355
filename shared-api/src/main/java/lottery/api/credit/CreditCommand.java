package lottery.api.credit;

import java.math.BigDecimal;
import lottery.api.Command;
import lottery.api.UserId;
import org.jspecify.annotations.Nullable;

/** What can be asked of a user's credits. */
public sealed interface CreditCommand extends Command<Booked> {

    UserId userId();

    @Override
    default CreditAccountId target() {
        return new CreditAccountId(userId());
    }

    /**
     * Gives or spends credits, once per business number.
     *
     * @param amount negative: they are spent
     * @param businessNo of an award it is the id of its record, of a recharge its id; nobody else may use one
     * @param reason for people
     */
    record BookCredits(
            UserId userId,
            BigDecimal amount,
            String businessNo,
            @Nullable String reason) implements CreditCommand {

        /** What the business number of an award begins with. */
        public static final String OF_AWARD = "award:";

        /** What the business number of a recharge that was paid for begins with. */
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
