package lottery.bench.invariant;

/** Thrown if the payload of an event lacks a field that the name of the event requires, or has it in a wrong form. */
public final class UnreadablePayloadException extends RuntimeException {

    UnreadablePayloadException(String reason) {
        super(reason, null, false, false);
    }

    public String reason() {
        return String.valueOf(getMessage());
    }
}
