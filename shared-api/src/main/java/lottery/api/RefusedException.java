package lottery.api;

/**
 * Carries a refusal over the edge of the program, where an endpoint can only return or throw. Nothing inside throws it:
 * there a refusal is a value. It has no stack trace, because it is no error.
 */
public final class RefusedException extends RuntimeException {

    private final transient Refused refused;

    public RefusedException(Refused refused) {
        super(refused.why() + " " + refused.subject(), null, false, false);
        this.refused = refused;
    }

    public RefusedException(Refusal why, String subject) {
        this(new Refused(why, subject));
    }

    public Refused refused() {
        return refused;
    }
}
