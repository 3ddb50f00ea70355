package lottery.bench.invariant;

/** An event that is not what its name promises. */
final class Unreadable extends RuntimeException {

    Unreadable(String reason) {
        super(reason, null, false, false);
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
