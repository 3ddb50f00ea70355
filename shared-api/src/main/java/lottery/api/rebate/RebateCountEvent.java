package lottery.api.rebate;

import java.time.LocalDate;
import lottery.api.EventName;
import lottery.api.EventOfUser;
import lottery.api.UserId;

/** The events of the counts of a user's rebates. */
public sealed interface RebateCountEvent extends EventOfUser {

    /**
     * A rule with a limit has given a rebate for a behaviour. This event counts the rebate against the limit.
     *
     * @param day the day of the behaviour in the time zone of the lottery; for a sign-in it may be the day in the time
     *     zone of the user
     */
    @EventName("rebate.counted")
    record RebateCounted(UserId userId, RebateRuleId ruleId, BehaviourId behaviourId, LocalDate day)
            implements RebateCountEvent {}
}
