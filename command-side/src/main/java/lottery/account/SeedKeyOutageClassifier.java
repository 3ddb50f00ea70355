package lottery.account;

import lottery.account.QueuedDrawHandler.KeyMissing;
import lottery.store.processing.OutageClassifier;
import org.springframework.stereotype.Component;

/** A queued draw whose seed cannot be read here is tried again until it can: it is no fault of the request. */
@Component
final class SeedKeyOutageClassifier implements OutageClassifier {

    @Override
    public boolean isOutage(Throwable failure) {
        return failure instanceof KeyMissing;
    }
}
