package lottery.store.processing;

import java.util.function.Function;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.eventhandling.tokenstore.TokenStore;
import org.axonframework.messaging.StreamableMessageSource;

/** The parts that a processor works with. */
record ProcessorDependencies(
        StreamableMessageSource<TrackedEventMessage<?>> log,
        TokenStore tokens,
        TransactionManager transactions,
        ParkedEventStore parked,
        SequencingRule sequences,
        FailureClassifier failureClassifier,
        IdleTransactionFinder open,
        ProcessorPositionAwaiter positionAwaiter,
        BatchConcurrencyLimiter turns,
        Function<StreamableMessageSource<TrackedEventMessage<?>>, TrackingToken> start) {

    /** Describes a failure. For a lock timeout, it also names the transaction that may hold the lock. */
    String textOf(Throwable failure) {
        return failureClassifier
                .lockWaitedFor(failure)
                .map(lock -> "no lock %s; %s".formatted(lock, open.idleLongest()))
                .orElseGet(failure::toString);
    }
}
