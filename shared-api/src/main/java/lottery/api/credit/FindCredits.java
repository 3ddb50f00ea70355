package lottery.api.credit;

import lottery.api.Query;
import lottery.api.UserId;

/** Asks for a user's credits; an unknown user has none. */
public record FindCredits(UserId userId) implements Query<CreditBalance> {}
