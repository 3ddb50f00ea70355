package lottery.api.rebate;

/** The states of a rebate. */
public enum RebateState {
    /** It will be given, or refused. */
    ORDERED,
    /** Its chances or credits were booked. */
    DONE,
    /** It was not given. A person may still let it be given. */
    REFUSED
}
