package lottery.api.proposal;

/** The kinds of actions that need two persons. */
public enum ProposedActionKind {
    /** Credits are booked by hand. */
    BOOK_CREDITS("approver"),
    /** A version of a rebate rule comes into force. */
    ADOPT_RULE("approver"),
    /** The key of a person is deleted, so that nobody can read addresses and reasons any more. */
    ERASE_PERSON("desk"),
    /** An award is taken from its winner. */
    VOID_AWARD("desk"),
    /** The winner gets the fallback of the strategy instead. */
    SUBSTITUTE_AWARD("desk"),
    /** The winner gets the chance back instead. */
    RETURN_CHANCE("desk"),
    /** Money that was kept, or that could not be given back, is given back. */
    REFUND_PAYMENT("desk"),
    /** Money was given back on another way than by its provider. */
    NOTE_REFUND("desk"),
    /** Somebody of the staff gets an account, other roles or another password. */
    CHANGE_ACCOUNT("admin"),
    /** An event that could not be handled is given up. */
    DROP_PARKED_EVENT("desk"),
    /** A message that could not be read is given up. */
    DROP_DEAD_LETTER("desk"),
    /** A rebate that was refused is given up. */
    DROP_REBATE("desk");

    private final String role;

    ProposedActionKind(String role) {
        this.role = role;
    }

    /** Returns the role of the person who agrees. */
    public String role() {
        return role;
    }
}
