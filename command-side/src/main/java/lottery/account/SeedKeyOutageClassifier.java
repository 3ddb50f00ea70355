package lottery.account;

import lottery.account.QueuedDrawHandler.KeyMissing;
import lottery.store.processing.OutageClassifier;
import org.springframework.stereotype.Component;

/**
 * Classifies a seed that this process cannot read as an outage, because the fault is not in the request. So the queued
 * request is tried again until the process can read the seed.
 */
@Component
final class SeedKeyOutageClassifier implements OutageClassifier {

    @Override
    public boolean isOutage(Throwable failure) {
        return failure instanceof KeyMissing;
    }
}
