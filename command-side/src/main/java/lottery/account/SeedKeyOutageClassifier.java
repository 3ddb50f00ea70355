package lottery.account;

import lottery.account.QueuedDrawHandler.KeyMissing;
import lottery.store.processing.OutageClassifier;
import org.springframework.stereotype.Component;

/**
 * Classifies a seed that this process cannot read as an outage. The queued draw is retried until the process can read
 * the seed, because the request is not at fault.
 */
@Component
final class SeedKeyOutageClassifier implements OutageClassifier {

    @Override
    public boolean isOutage(Throwable failure) {
        return failure instanceof KeyMissing;
    }
}
