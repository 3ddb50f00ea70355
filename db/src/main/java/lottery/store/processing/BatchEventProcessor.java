package lottery.store.processing;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.axonframework.common.stream.BlockingStream;
import org.axonframework.common.transaction.Transaction;
import org.axonframework.eventhandling.AbstractEventProcessor;
import org.axonframework.eventhandling.EventHandlerInvoker;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.EventTrackerStatus;
import org.axonframework.eventhandling.GlobalSequenceTrackingToken;
import org.axonframework.eventhandling.ReplayToken;
import org.axonframework.eventhandling.Segment;
import org.axonframework.eventhandling.StreamingEventProcessor;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventhandling.TrackerStatus;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.lifecycle.Lifecycle;
import org.axonframework.lifecycle.Phase;
import org.axonframework.messaging.StreamableMessageSource;
import org.axonframework.messaging.unitofwork.BatchingUnitOfWork;
import org.axonframework.messaging.unitofwork.RollbackConfigurationType;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.axonframework.monitoring.MessageMonitor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the events of the log to one group of handlers, batch by batch. The writes of a batch and the token are one
 * transaction. A processor has a fixed number of segments. Each process claims free segments and handles each on its
 * own thread, which sleeps until the log has a new event.
 */
final class BatchEventProcessor extends AbstractEventProcessor implements StreamingEventProcessor, Lifecycle {

    private static final Logger log = LoggerFactory.getLogger(BatchEventProcessor.class);

    private final ProcessorDependencies parts;
    private final Map<Integer, TrackerStatus> statuses = new ConcurrentHashMap<>();

    /**
     * The workers of all runs. A segment has one worker at most, even if the worker of an earlier run has not ended
     * yet.
     */
    private final ConcurrentMap<Integer, SegmentWorker> workers = new ConcurrentHashMap<>();

    /** Whether there is any handler for a type of event. Most processors ignore most types. */
    private final ClassValue<Boolean> types = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return eventHandlerInvoker().canHandleType(type);
        }
    };

    /**
     * The types of events that a handler has wanted. Later events of such a type are handed over without a check,
     * because Axon asks the handlers anyway.
     */
    private final Set<Class<?>> wanted = ConcurrentHashMap.newKeySet();

    private volatile @Nullable ProcessorRun run;

    BatchEventProcessor(
            String name,
            EventHandlerInvoker handlers,
            MessageMonitor<? super EventMessage<?>> monitor,
            ProcessorDependencies parts) {
        super(new Builder().name(name).eventHandlerInvoker(handlers).messageMonitor(monitor));
        this.parts = parts;
        parts.positionAwaiter().knows(this);
    }

    private static final class Builder extends AbstractEventProcessor.Builder {

        Builder() {
            rollbackConfiguration(RollbackConfigurationType.ANY_THROWABLE);
        }

        @Override
        public Builder name(String name) {
            super.name(name);
            return this;
        }

        @Override
        public Builder eventHandlerInvoker(EventHandlerInvoker handlers) {
            super.eventHandlerInvoker(handlers);
            return this;
        }

        @Override
        public Builder messageMonitor(MessageMonitor<? super EventMessage<?>> monitor) {
            super.messageMonitor(monitor);
            return this;
        }
    }

    @Override
    public void registerLifecycleHandlers(LifecycleRegistry lifecycle) {
        lifecycle.onStart(Phase.INBOUND_EVENT_CONNECTORS, this::start);
        lifecycle.onShutdown(Phase.INBOUND_EVENT_CONNECTORS, this::shutdownAsync);
    }

    @Override
    public synchronized void start() {
        if (run == null) {
            run = ProcessorRun.start(this, parts, workers);
        }
    }

    @Override
    public synchronized CompletableFuture<Void> shutdownAsync() {
        ProcessorRun ending = run;
        if (ending == null) {
            return CompletableFuture.allOf();
        }
        run = null;
        return ending.stop();
    }

    @Override
    public void shutDown() {
        try {
            shutdownAsync().get(2 * ProcessorRun.STOP_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(getName() + " does not stop", e);
        }
    }

    @Override
    public boolean isRunning() {
        return run != null;
    }

    @Override
    public boolean isError() {
        return statuses.values().stream().anyMatch(TrackerStatus::isErrorState);
    }

    @Override
    public Map<Integer, EventTrackerStatus> processingStatus() {
        return Collections.unmodifiableMap(statuses);
    }

    void status(Segment segment, UnaryOperator<TrackerStatus> change) {
        statuses.computeIfPresent(segment.getSegmentId(), (id, status) -> change.apply(status));
    }

    void begins(Segment segment, @Nullable TrackingToken token) {
        statuses.put(segment.getSegmentId(), new TrackerStatus(segment, token));
        isAt(token);
    }

    void leaves(Segment segment) {
        statuses.remove(segment.getSegmentId());
        parts.positionAwaiter().leaves(getName());
    }

    /** Reports that everything up to the token was handled and committed. */
    void isAt(@Nullable TrackingToken token) {
        parts.positionAwaiter()
                .isAt(getName(), token == null ? 0 : token.position().orElse(0));
    }

    /**
     * Returns whether a handler may want an event. If the check itself fails, the event is handed over, so that the
     * failure occurs where failures are handled.
     */
    boolean wants(TrackedEventMessage<?> event, Segment segment) {
        try {
            Class<?> type = event.getPayloadType();
            if (wanted.contains(type)) {
                return true;
            }
            boolean isWanted = types.get(type) && canHandle(event, segment);
            if (isWanted) {
                wanted.add(type);
            }
            return isWanted;
        } catch (Exception e) {
            return true;
        }
    }

    /**
     * Looks for the first event after a position that a handler here wants. Returns the position before that event, or
     * the last position that was checked.
     *
     * @param upTo the last position to check
     */
    long unwantedAfter(long position, long upTo, StreamableMessageSource<TrackedEventMessage<?>> log)
            throws InterruptedException {
        long passed = position;
        try (BlockingStream<TrackedEventMessage<?>> stream =
                log.openStream(new GlobalSequenceTrackingToken(position))) {
            while (passed < upTo && stream.hasNextAvailable()) {
                TrackedEventMessage<?> event = stream.nextAvailable();
                if (wants(event, Segment.ROOT_SEGMENT)) {
                    return passed;
                }
                passed = event.trackingToken().position().orElse(passed);
            }
        }
        return passed;
    }

    /** Hands over a batch in one transaction, and runs {@code also} in the same transaction. */
    void handle(List<? extends TrackedEventMessage<?>> events, Segment segment, Runnable also) throws Exception {
        if (events.isEmpty()) {
            parts.transactions().executeInTransaction(also);
            return;
        }
        UnitOfWork<? extends TrackedEventMessage<?>> batch = new BatchingUnitOfWork<>(events);
        Transaction transaction = parts.transactions().startTransaction();
        // These handlers are registered before the batch begins. They are therefore the oldest handlers of its first
        // message. At the end, Axon goes from the last message to the first, and from the newest handler to the oldest.
        // Therefore everything else is written before this commit.
        batch.onRollback(ending -> transaction.rollback());
        batch.onCommit(ending -> {
            also.run();
            transaction.commit();
        });
        try {
            processInUnitOfWork(events, batch, List.of(segment));
        } catch (Error e) {
            // Axon rolls back after exceptions only, not after errors. An open transaction would lock the token for all
            // processes.
            rollBack(transaction);
            throw new IllegalStateException("a handler of %s has failed with an error".formatted(getName()), e);
        }
    }

    private static void rollBack(Transaction transaction) {
        try {
            transaction.rollback();
        } catch (RuntimeException e) {
            log.debug("A transaction could not be rolled back, because it had already ended.", e);
        }
    }

    @Override
    public boolean supportsReset() {
        return eventHandlerInvoker().supportsReset();
    }

    @Override
    public void resetTokens() {
        resetTokens(parts.start());
    }

    @Override
    public <R> void resetTokens(@Nullable R resetContext) {
        resetTokens(parts.start(), resetContext);
    }

    @Override
    public void resetTokens(Function<StreamableMessageSource<TrackedEventMessage<?>>, TrackingToken> start) {
        resetTokens(start, null);
    }

    @Override
    public <R> void resetTokens(
            Function<StreamableMessageSource<TrackedEventMessage<?>>, TrackingToken> start, @Nullable R resetContext) {
        resetTokens(start.apply(parts.log()), resetContext);
    }

    /** Restarts this processor from a position, while all other processors continue. */
    @Override
    public <R> void resetTokens(TrackingToken start, @Nullable R resetContext) {
        if (isRunning() || !workers.isEmpty() || !supportsReset()) {
            throw new IllegalStateException(getName()
                    + (supportsReset() ? " has to be stopped first" : " has handlers that cannot begin anew"));
        }
        Map<Integer, TrackingToken> reached = new TreeMap<>();
        parts.transactions().executeInTransaction(() -> {
            // This process must own all segments before any data is deleted.
            for (int segment : parts.tokens().fetchSegments(getName())) {
                reached.put(segment, parts.tokens().fetchToken(getName(), segment));
            }
            eventHandlerInvoker().performReset(resetContext);
            parts.parked().forgetAfter(getName(), start.position().orElse(0));
            reached.forEach((segment, token) -> parts.tokens()
                    .storeToken(ReplayToken.createReplayToken(token, start, resetContext), getName(), segment));
        });
        // This transaction moves no token, so its commit waits for the disk. This makes the earlier transactions
        // durable, too.
        parts.transactions()
                .executeInTransaction(
                        () -> reached.keySet().forEach(segment -> parts.tokens().releaseClaim(getName(), segment)));
    }

    @Override
    public int maxCapacity() {
        return ProcessorRun.SEGMENTS;
    }

    @Override
    public String getTokenStoreIdentifier() {
        return parts.tokens().retrieveStorageIdentifier().orElse("postgresql");
    }

    @Override
    public void releaseSegment(int segmentId) {
        throw fixed();
    }

    @Override
    public void releaseSegment(int segmentId, long releaseDuration, TimeUnit unit) {
        throw fixed();
    }

    @Override
    public CompletableFuture<Boolean> splitSegment(int segmentId) {
        return CompletableFuture.failedFuture(fixed());
    }

    @Override
    public CompletableFuture<Boolean> mergeSegment(int segmentId) {
        return CompletableFuture.failedFuture(fixed());
    }

    private UnsupportedOperationException fixed() {
        return new UnsupportedOperationException(
                getName() + " has a fixed number of segments, and any free process claims them");
    }
}
