package lottery.api;

/** What a command answers: what it did, or why it did not. */
public sealed interface Answer<R> {

    record Done<R>(R value) implements Answer<R> {}

    record No<R>(Refused refused) implements Answer<R> {}

    static <R> Answer<R> done(R value) {
        return new Done<>(value);
    }

    static <R> Answer<R> no(Refused refused) {
        return new No<>(refused);
    }

    /** For the edges, where a refusal leaves as a problem document. */
    default R orRefuse() {
        return switch (this) {
            case Done<R> done -> done.value();
            case No<R> no -> throw new RefusedException(no.refused());
        };
    }
}
