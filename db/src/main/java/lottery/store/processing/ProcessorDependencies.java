package lottery.store.processing;

import java.util.function.Function;
import lottery.store.log.Log;
import org.axonframework.common.transaction.TransactionManager;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.eventhandling.tokenstore.TokenStore;
import org.axonframework.messaging.StreamableMessageSource;

/** The parts that a processor works with in one log. */
record ProcessorDependencies(
        Log place,
        StreamableMessageSource<TrackedEventMessage<?>> log,
        TokenStore tokens,
        TransactionManager transactions,
        ParkedEventStore parked,
        SequencingRule sequences,
        FailureClassifier failureClassifier,
        IdleTransactionFinder open,
        LogPositionAwaiter positionAwaiter,
        BatchConcurrencyLimiter turns,
        Function<StreamableMessageSource<TrackedEventMessage<?>>, TrackingToken> start) {

    /** Returns the number of the log, by which a processor knows its parts. */
    int number() {
        return place.number();
    }

    /** Describes a failure. For a lock timeout, it also names the transaction that may hold the lock. */
    String textOf(Throwable failure) {
        return failureClassifier
                .lockWaitedFor(failure)
                .map(lock -> "no lock %s; %s".formatted(lock, open.idleLongest()))
                .orElseGet(failure::toString);
    }
}
