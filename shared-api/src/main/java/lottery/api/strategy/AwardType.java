package lottery.api.strategy;

/** The type of an award, which says how the award is handed over. */
public enum AwardType {
    /** A text that the winner can read. */
    TEXT(Handover.LOTTERY),
    /** A code from a pool of codes. */
    CODE(Handover.LOTTERY),
    /** A coupon of another system, which is asked for it by a webhook or by an invoice. */
    COUPON(Handover.SYSTEM),
    /** A thing that is sent to the address of the winner. */
    PHYSICAL(Handover.PARCEL),
    /** Credits in the account of the winner. */
    CREDIT(Handover.LOTTERY),
    /** Content that the winner may read; the {@code contentId} in its config names it. */
    ENTITLEMENT(Handover.LOTTERY),
    /** Something else, which the {@code kind} in its config names. */
    OTHER(Handover.SYSTEM);

    private final Handover handover;

    AwardType(Handover handover) {
        this.handover = handover;
    }

    public Handover handover() {
        return handover;
    }

    public boolean isParcel() {
        return handover == Handover.PARCEL;
    }

    /** The ways to hand an award over. Any of them can be left to the systems that read the invoices. */
    public enum Handover {
        /** The lottery can hand the award over by itself. */
        LOTTERY,
        /** Another system hands the award over, within minutes. */
        SYSTEM,
        /** Another system sends the award to an address that the winner gives. This takes days. */
        PARCEL
    }
}
