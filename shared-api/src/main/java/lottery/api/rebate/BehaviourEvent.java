package lottery.api.rebate;

import java.time.Instant;
import java.util.List;
import lottery.api.EventName;
import lottery.api.EventOfUser;
import lottery.api.UserId;

/** The events of a behaviour and its rebates. */
public sealed interface BehaviourEvent extends EventOfUser {

    BehaviourId behaviourId();

    /**
     * A user has done something, and gets these rebates for it. If rules are changed later, these rebates stay as they
     * are.
     *
     * @param outBusinessNo the business number that the reporting system has given to the behaviour
     */
    @EventName("behaviour.reported")
    record BehaviourReported(
            BehaviourId behaviourId,
            UserId userId,
            String behaviour,
            String outBusinessNo,
            Instant reportedAt,
            List<OrderedRebate> rebates)
            implements BehaviourEvent {

        public BehaviourReported {
            rebates = List.copyOf(rebates);
        }
    }

    /**
     * A rebate was given. Its chances or credits were booked in the same commit.
     *
     * @param index the place of the rebate in its rule, from 0
     * @param reference the recharge, or the credit account with the number of the booking
     */
    @EventName("behaviour.rebate-given")
    record RebateGiven(BehaviourId behaviourId, UserId userId, RebateRuleId ruleId, int index, String reference)
            implements BehaviourEvent {}

    /**
     * A rebate was not given.
     *
     * @param reason the code of the refusal, or one of the reasons in {@link RebateProgress}
     */
    @EventName("behaviour.rebate-refused")
    record RebateRefused(BehaviourId behaviourId, UserId userId, RebateRuleId ruleId, int index, String reason)
            implements BehaviourEvent {}

    /** A person has given up a rebate that was refused. */
    @EventName("behaviour.rebate-dropped")
    record RebateDropped(BehaviourId behaviourId, UserId userId, RebateRuleId ruleId, int index)
            implements BehaviourEvent {}
}
