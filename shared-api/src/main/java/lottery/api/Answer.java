package lottery.api;

import java.util.function.Function;

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

    /** Goes on with what was agreed to; a refusal stays what it is. */
    default <S> Answer<S> then(Function<R, Answer<S>> next) {
        return switch (this) {
            case Done<R> done -> next.apply(done.value());
            case No<R> no -> no(no.refused());
        };
    }

    /** Where a refusal cannot be returned: see {@link RefusedException}. */
    default R orRefuse() {
        return switch (this) {
            case Done<R> done -> done.value();
            case No<R> no -> throw new RefusedException(no.refused());
        };
    }
}
