package lottery.account;

import java.time.Instant;
import java.time.LocalDate;
import lottery.activity.Campaign;
import lottery.api.account.AccountId;

/** Somebody plays in a campaign that is open. */
record Visit(AccountId accountId, Campaign campaign, Instant now) {

    /** By the clock, in the campaign's zone. */
    LocalDate day() {
        return campaign.dayAt(now);
    }
}
