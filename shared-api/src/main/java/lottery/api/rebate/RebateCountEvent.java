package lottery.api.rebate;

import java.time.LocalDate;
import lottery.api.EventName;
import lottery.api.EventOfUser;
import lottery.api.UserId;

/** The events of the counts of a user's rebates. */
public sealed interface RebateCountEvent extends EventOfUser {

    /**
     * A rule with a limit has paid for a behaviour. The payment is counted.
     *
     * @param day the day in the zone of the lottery, or in the zone of the user who signs in
     */
    @EventName("rebate.counted")
    record RebateCounted(UserId userId, RebateRuleId ruleId, BehaviourId behaviourId, LocalDate day)
            implements RebateCountEvent {}
}
