package lottery.api.credit;

/** How far a proposed booking is. */
public enum CreditProposalState {
    /** One person has proposed the booking, and it waits for the decision of another person. */
    PROPOSED,
    /** Another person has confirmed the proposal, and the booking is made. */
    BOOKED,
    DECLINED,
    /** Nobody has decided about the proposal in time, and nothing is booked. */
    EXPIRED
}
