package lottery.bench.invariant;

/** The payload of an event lacks a field that its name requires, or has it in a wrong form. */
final class UnreadablePayload extends RuntimeException {

    UnreadablePayload(String reason) {
        super(reason, null, false, false);
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
