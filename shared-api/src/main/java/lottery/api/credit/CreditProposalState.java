package lottery.api.credit;

/** How far a proposed booking is. */
public enum CreditProposalState {
    /** One person wants the booking, and it waits for another person. */
    PROPOSED,
    /** Two persons wanted the booking, and it is made. */
    BOOKED,
    DECLINED,
    /** Nobody has decided in time, and nothing is booked. */
    EXPIRED
}
