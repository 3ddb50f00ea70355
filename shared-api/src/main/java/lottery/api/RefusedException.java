package lottery.api;

/**
 * Carries a refusal out of code that cannot return it, such as an endpoint. Elsewhere in the program a refusal is a
 * value. It has no stack trace, because it is no error.
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
