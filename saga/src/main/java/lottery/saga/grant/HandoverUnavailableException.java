package lottery.saga.grant;

import lottery.store.processing.OutageClassifier;
import org.springframework.stereotype.Component;

/**
 * Thrown if the awards of a batch of events cannot be handed over now. The batch then fails as a whole, and is handled
 * again.
 */
final class HandoverUnavailableException extends RuntimeException {

    HandoverUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Classifies this exception as an outage, whatever its cause is. */
    @Component
    static final class HandoverOutageClassifier implements OutageClassifier {

        @Override
        public boolean isOutage(Throwable failure) {
            return failure instanceof HandoverUnavailableException;
        }
    }
}
