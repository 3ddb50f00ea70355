package lottery.api;

import java.util.function.Function;

/** The answer to a command: its result, or the refusal. */
public sealed interface Answer<R> {

    record Done<R>(R value) implements Answer<R> {}

    record No<R>(Refused refused) implements Answer<R> {}

    static <R> Answer<R> done(R value) {
        return new Done<>(value);
    }

    static <R> Answer<R> no(Refused refused) {
        return new No<>(refused);
    }

    /** Returns the answer of the next step, which gets the result; a refusal stays as it is. */
    default <S> Answer<S> then(Function<R, Answer<S>> next) {
        return switch (this) {
            case Done<R> done -> next.apply(done.value());
            case No<R> no -> no(no.refused());
        };
    }

    /**
     * Returns the result, or throws the refusal. It is for methods that cannot return a refusal, such as endpoints: see
     * {@link RefusedException}.
     */
    default R orThrow() {
        return switch (this) {
            case Done<R> done -> done.value();
            case No<R> no -> throw new RefusedException(no.refused());
        };
    }
}
