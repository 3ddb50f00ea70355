package lottery.bench.invariant;

/** An event that is not what its name promises. */
final class UnreadableEvent extends RuntimeException {

    UnreadableEvent(String reason) {
        super(reason, null, false, false);
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
