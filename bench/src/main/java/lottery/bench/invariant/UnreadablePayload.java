package lottery.bench.invariant;

/** Reports an event that is not what its name promises. */
final class UnreadablePayload extends RuntimeException {

    UnreadablePayload(String reason) {
        super(reason, null, false, false);
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
