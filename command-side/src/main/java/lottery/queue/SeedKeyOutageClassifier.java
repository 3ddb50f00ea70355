package lottery.queue;

import lottery.queue.QueuedDrawHandler.SeedKeyMissingException;
import lottery.store.processing.OutageClassifier;
import org.springframework.stereotype.Component;

/**
 * Classifies a failure as an outage if this process cannot read a seed, for example because it lacks the key. The
 * request is not at fault. So the queued request is tried again until the process can read the seed.
 */
@Component
final class SeedKeyOutageClassifier implements OutageClassifier {

    @Override
    public boolean isOutage(Throwable failure) {
        return failure instanceof SeedKeyMissingException;
    }
}
