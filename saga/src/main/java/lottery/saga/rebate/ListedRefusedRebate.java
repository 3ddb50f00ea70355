package lottery.saga.rebate;

import java.time.Instant;
import lottery.api.UserId;
import lottery.api.rebate.BehaviourId;
import lottery.api.rebate.Rebate;
import lottery.api.rebate.RebateRuleId;

/**
 * A refused rebate that waits for a person.
 *
 * @param index the place of the rebate in its rule, from 0
 * @param reason why it was refused
 */
public record ListedRefusedRebate(
        BehaviourId behaviourId,
        RebateRuleId ruleId,
        int index,
        UserId userId,
        String behaviour,
        Rebate rebate,
        String reason,
        Instant since) {}
