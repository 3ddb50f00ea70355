package lottery.api.credit;

import lottery.api.Query;
import lottery.api.UserId;

/** How many credits has this user? Nobody has none. */
public record FindCredits(UserId userId) implements Query<CreditBalance> {}
