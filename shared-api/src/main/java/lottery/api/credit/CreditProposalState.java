package lottery.api.credit;

/** How far a proposed booking is. */
public enum CreditProposalState {
    /** One person wants it, and it waits for another one. */
    PROPOSED,
    /** Two persons wanted it, and it is booked. */
    BOOKED,
    DECLINED,
    /** Nobody has decided in time. */
    EXPIRED
}
