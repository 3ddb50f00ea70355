package lottery.api.proposal;

/** How far a proposal is. */
public enum ProposalState {
    /** One person has proposed the action, and it waits for the decision of another person. */
    PROPOSED,
    /** Another person has agreed, and the action is carried out. */
    AGREED,
    DECLINED,
    /** Nobody has decided in time, and nothing is done. */
    EXPIRED
}
