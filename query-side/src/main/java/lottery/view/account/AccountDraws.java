package lottery.view.account;

import lottery.api.account.AccountId;
import org.springframework.stereotype.Component;

/** The draws of the last day, from the account's row: an order counts on the day on which it is drawn. */
@Component
public class AccountDraws {

    private final AccountRows rows;

    AccountDraws(AccountRows rows) {
        this.rows = rows;
    }

    /** What the row says at this moment. */
    public DrawsOfDay find(AccountId account) {
        return rows.findById(AccountKey.of(account.activityId(), account.userId()))
                .map(AccountRow::draws)
                .orElse(DrawsOfDay.NONE);
    }
}
