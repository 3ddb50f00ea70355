package lottery.api.credit;

import lottery.api.Query;
import lottery.api.UserId;

/** Asks for a user's credits. An unknown user has zero credits. */
public record FindCredits(UserId userId) implements Query<CreditBalance> {}
