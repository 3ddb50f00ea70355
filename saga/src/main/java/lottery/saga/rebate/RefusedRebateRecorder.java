package lottery.saga.rebate;

import java.time.Instant;
import lottery.api.rebate.BehaviourId;
import lottery.api.rebate.BehaviourProgress;
import lottery.api.rebate.RebateProgress;
import lottery.api.rebate.RebateRuleId;

/**
 * Records which refused rebates wait for a person, in the transaction of their sagas. Calls may be repeated. The end of
 * a wait may be recorded even if the wait is unknown.
 */
interface RefusedRebateRecorder {

    void note(BehaviourProgress behaviour, RebateProgress rebate, Instant now);

    void over(BehaviourId behaviourId, RebateRuleId ruleId, int index);
}
