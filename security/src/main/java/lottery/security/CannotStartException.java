package lottery.security;

/** Thrown if the process cannot start, for a reason that an operator can correct. */
public final class CannotStartException extends RuntimeException {

    private final String remedy;

    public CannotStartException(String reason, String remedy) {
        super(reason);
        this.remedy = remedy;
    }

    public String remedy() {
        return remedy;
    }
}
