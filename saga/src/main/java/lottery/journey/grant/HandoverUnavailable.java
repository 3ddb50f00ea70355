package lottery.journey.grant;

import lottery.store.processing.OutageClassifier;
import org.springframework.stereotype.Component;

/** Fails a batch of events whose awards cannot be handed over now, so that all of it comes again. */
final class HandoverUnavailable extends RuntimeException {

    HandoverUnavailable(String message, Throwable cause) {
        super(message, cause);
    }

    /** Counts it as an outage, whatever the cause was. */
    @Component
    static final class Passes implements OutageClassifier {

        @Override
        public boolean isOutage(Throwable failure) {
            return failure instanceof HandoverUnavailable;
        }
    }
}
