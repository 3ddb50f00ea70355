package lottery.store.axon;

import org.axonframework.eventhandling.GlobalSequenceTrackingToken;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.eventhandling.WrappedToken;
import org.jspecify.annotations.Nullable;

/** Converts tokens to positions. A reader that has seen a position has seen every event up to it. */
final class TokenPositionConverter {

    private TokenPositionConverter() {}

    /** Returns the position up to which the reader has seen every event; 0 without a token. */
    static long of(@Nullable TrackingToken token) {
        return switch (WrappedToken.unwrapLowerBound(token)) {
            case null -> 0;
            case GlobalSequenceTrackingToken position -> position.getGlobalIndex();
            case TrackingToken other ->
                throw new IllegalArgumentException("a token of this log is a position, not " + other);
        };
    }
}
