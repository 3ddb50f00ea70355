package lottery.app;

/** A reason not to start that an operator can remove. */
final class CannotStart extends RuntimeException {

    private final String remedy;

    CannotStart(String reason, String remedy) {
        super(reason);
        this.remedy = remedy;
    }

    String remedy() {
        return remedy;
    }
}
