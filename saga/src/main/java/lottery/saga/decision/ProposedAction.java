package lottery.saga.decision;

import lottery.saga.decision.OperatorDecisionLog.OperatorAction;

/** An action that two persons decide about. */
public enum ProposedAction {
    /** A parked event or a dead letter is given up. */
    DROP(OperatorAction.PROPOSE_DROP),
    /** The winner gets the fallback of the strategy instead. */
    SUBSTITUTE(OperatorAction.PROPOSE_SUBSTITUTE),
    /** The winner gets the chance back. */
    RETURN_CHANCE(OperatorAction.PROPOSE_RETURN_CHANCE);

    private final OperatorAction proposing;

    ProposedAction(OperatorAction proposing) {
        this.proposing = proposing;
    }

    /** Returns the action that is logged for the person who proposes this. */
    OperatorAction proposing() {
        return proposing;
    }
}
