package lottery.app.startup;

/** A reason not to start that an operator can remove. */
public final class CannotStart extends RuntimeException {

    private final String remedy;

    public CannotStart(String reason, String remedy) {
        super(reason);
        this.remedy = remedy;
    }

    String remedy() {
        return remedy;
    }
}
