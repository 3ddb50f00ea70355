package lottery.api.rebate;

import lottery.api.Command;
import lottery.api.UserId;

/** The commands to a behaviour. */
public sealed interface BehaviourCommand extends Command<BehaviourProgress> {

    /** The longest business number. */
    int BUSINESS_NO_LENGTH_MAX = 128;

    /** The pattern of a business number. */
    String BUSINESS_NO = "[^\\x00-\\x1f\\x7f]*";

    /**
     * The pattern of the name of a behaviour that is reported by callers. A sign-in is excluded, because the lottery
     * reports it itself.
     */
    String REPORTED = "(?!" + RebateRuleDefinition.SIGN + "$)" + RebateRuleDefinition.BEHAVIOUR;

    BehaviourId behaviourId();

    @Override
    default BehaviourId target() {
        return behaviourId();
    }

    /** Stores that a user has done something, with the rebates of the rules that are open now. */
    record ReportBehaviour(UserId userId, String behaviour, String outBusinessNo) implements BehaviourCommand {

        @Override
        public BehaviourId behaviourId() {
            return BehaviourId.of(userId, behaviour, outBusinessNo);
        }
    }

    /**
     * Gives one rebate that is ordered, or refuses it.
     *
     * @param isAgain whether a person asks for it; in that case a refused rebate is tried again
     */
    record GiveRebate(BehaviourId behaviourId, RebateRuleId ruleId, int index, boolean isAgain)
            implements BehaviourCommand {}

    /** Gives up a refused rebate that waits for a person. */
    record DropRebate(BehaviourId behaviourId, RebateRuleId ruleId, int index) implements BehaviourCommand {

        /** Returns the command for the rebate with this business number. */
        public static DropRebate of(String businessNo) {
            int index = businessNo.lastIndexOf(':');
            int rule = businessNo.lastIndexOf(':', index - 1);
            return new DropRebate(
                    BehaviourId.of(businessNo.substring(0, rule)),
                    RebateRuleId.of(businessNo.substring(rule + 1, index)),
                    Integer.parseInt(businessNo.substring(index + 1)));
        }
    }
}
