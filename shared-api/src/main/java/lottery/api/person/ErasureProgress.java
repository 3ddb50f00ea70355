package lottery.api.person;

import org.jspecify.annotations.Nullable;

/**
 * How far the erasure of a person is, and which proposal waits.
 *
 * @param proposal the value that another person has to send to agree; null if no proposal waits
 */
public record ErasureProgress(ErasureState state, @Nullable String proposal) {

    public static ErasureProgress proposed(String proposal) {
        return new ErasureProgress(ErasureState.PROPOSED, proposal);
    }

    public static ErasureProgress erased() {
        return new ErasureProgress(ErasureState.ERASED, null);
    }
}
