package lottery.api.rebate;

/** The states of a rebate. */
public enum RebateState {
    /** The rebate will be given, or refused. */
    ORDERED,
    /** The chances or credits of the rebate were booked. */
    DONE,
    /** The rebate was not given. A person may still order that it is tried again. */
    REFUSED
}
