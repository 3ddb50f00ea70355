package lottery.store.processing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import lottery.store.axon.LogTokenStore;
import lottery.store.processing.ProcessorMember.MemberUnitOfWork;
import org.axonframework.common.transaction.Transaction;
import org.axonframework.eventhandling.AbstractEventProcessor;
import org.axonframework.eventhandling.EventHandlerInvoker;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.EventTrackerStatus;
import org.axonframework.eventhandling.ReplayToken;
import org.axonframework.eventhandling.Segment;
import org.axonframework.eventhandling.StreamingEventProcessor;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.eventhandling.TrackerStatus;
import org.axonframework.eventhandling.TrackingToken;
import org.axonframework.lifecycle.Lifecycle;
import org.axonframework.lifecycle.Phase;
import org.axonframework.messaging.StreamableMessageSource;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.RollbackConfigurationType;
import org.axonframework.monitoring.MessageMonitor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the events of the log to its members, which are groups of handlers, batch by batch. The writes of all members
 * for a batch and the token are one transaction. A processor has one segment in each log. Each process claims free
 * segments and handles each on its own thread, which sleeps until the log has a new event.
 */
final class BatchEventProcessor extends AbstractEventProcessor implements StreamingEventProcessor, Lifecycle {

    private static final Logger log = LoggerFactory.getLogger(BatchEventProcessor.class);

    private final List<ProcessorDependencies> logs;
    private final List<ProcessorMember> members;
    private final Map<Integer, TrackerStatus> statuses = new ConcurrentHashMap<>();

    /**
     * The workers of all runs, by the number of the log. A segment has one worker at most, even if the worker of an
     * earlier run has not ended yet.
     */
    private final ConcurrentMap<Integer, SegmentWorker> workers = new ConcurrentHashMap<>();

    private volatile List<ProcessorRun> runs = List.of();

    BatchEventProcessor(
            String name,
            List<ProcessorMember> members,
            MessageMonitor<? super EventMessage<?>> monitor,
            List<ProcessorDependencies> logs) {
        super(new Builder()
                .name(name)
                .eventHandlerInvoker(new MemberInvoker(members))
                .messageMonitor(monitor));
        this.members = List.copyOf(members);
        this.logs = List.copyOf(logs);
        logs.forEach(parts -> parts.positionAwaiter().knows(this));
    }

    /** Lets the unit of work of a batch hand each event to the members that get it. */
    private record MemberInvoker(List<ProcessorMember> members) implements EventHandlerInvoker {

        @Override
        public boolean canHandle(EventMessage<?> event, Segment segment) {
            return members.stream().anyMatch(member -> member.handlers().canHandle(event, segment));
        }

        @Override
        public boolean canHandleType(Class<?> type) {
            return members.stream().anyMatch(member -> member.handlers().canHandleType(type));
        }

        @Override
        public void handle(EventMessage<?> event, Segment segment) {
            ((MemberUnitOfWork) CurrentUnitOfWork.get()).handOut(event, members, segment);
        }

        @Override
        public boolean supportsReset() {
            return members.stream().allMatch(member -> member.handlers().supportsReset());
        }

        @Override
        public <R> void performReset(@Nullable R context) {
            members.forEach(member -> member.handlers().performReset(context));
        }
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
        if (runs.isEmpty()) {
            runs = logs.stream()
                    .map(parts -> ProcessorRun.start(this, parts, workers))
                    .toList();
        }
    }

    @Override
    public synchronized CompletableFuture<Void> shutdownAsync() {
        List<ProcessorRun> ending = runs;
        runs = List.of();
        return CompletableFuture.allOf(ending.stream().map(ProcessorRun::stop).toArray(CompletableFuture[]::new));
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
        return !runs.isEmpty();
    }

    @Override
    public boolean isError() {
        return statuses.values().stream().anyMatch(TrackerStatus::isErrorState);
    }

    @Override
    public Map<Integer, EventTrackerStatus> processingStatus() {
        return Collections.unmodifiableMap(statuses);
    }

    void status(ProcessorDependencies parts, UnaryOperator<TrackerStatus> change) {
        statuses.computeIfPresent(parts.number(), (_, status) -> change.apply(status));
    }

    void begins(ProcessorDependencies parts, Segment segment, @Nullable TrackingToken token) {
        statuses.put(parts.number(), new TrackerStatus(segment, token));
    }

    void leaves(ProcessorDependencies parts) {
        statuses.remove(parts.number());
        members.forEach(member -> parts.positionAwaiter().leaves(member.name()));
    }

    List<ProcessorMember> members() {
        return members;
    }

    /**
     * Returns the names of the members that follow the token, which this process has claimed. A replay builds the data
     * of the others first.
     */
    Set<String> following(ProcessorDependencies parts, Segment segment) {
        Set<String> all = names(_ -> true);
        return parts.tokens() instanceof LogTokenStore table
                ? table.follow(getName(), segment.getSegmentId(), all, names(ProcessorMember::isRebuilt))
                : all;
    }

    private Set<String> names(Predicate<ProcessorMember> which) {
        return members.stream().filter(which).map(ProcessorMember::name).collect(Collectors.toCollection(TreeSet::new));
    }

    /** What a batch does before its events are handed over; it gets a place for what is to be done after the commit. */
    interface BatchPrelude {
        void go(Consumer<Runnable> afterwards) throws Exception;
    }

    /**
     * Hands over a batch in one transaction.
     *
     * @param isFor whether a member gets an event
     * @param before runs before in the same transaction
     * @param also runs at the end in the same transaction
     */
    void handle(
            List<TrackedEventMessage<?>> events,
            Segment segment,
            BiPredicate<ProcessorMember, TrackedEventMessage<?>> isFor,
            BatchPrelude before,
            Runnable also)
            throws Exception {
        List<Runnable> afterwards = new ArrayList<>();
        Transaction transaction = logs.getFirst().transactions().startTransaction();
        try {
            before.go(afterwards::add);
            if (events.isEmpty()) {
                also.run();
                transaction.commit();
            } else {
                MemberUnitOfWork batch = new MemberUnitOfWork(events, isFor, null);
                // This handler is registered before the batch begins. It is therefore the oldest handler of its first
                // message. At the end, Axon goes from the last message to the first, and from the newest handler to the
                // oldest. Therefore everything else is written before this commit.
                batch.onCommit(ending -> {
                    also.run();
                    transaction.commit();
                });
                processInUnitOfWork(events, batch, List.of(segment));
            }
        } catch (Exception e) {
            rollBack(transaction);
            throw e;
        } catch (Error e) {
            // An open transaction would lock the token for all processes.
            rollBack(transaction);
            throw new IllegalStateException("a handler of %s has failed with an error".formatted(getName()), e);
        }
        afterwards.forEach(Runnable::run);
    }

    /**
     * Hands events to one member, in the transaction that is open and stays open.
     *
     * @param afterwards takes what is to be done after the commit
     */
    void handlePart(
            List<TrackedEventMessage<?>> events, Segment segment, ProcessorMember member, Consumer<Runnable> afterwards)
            throws Exception {
        MemberUnitOfWork part = new MemberUnitOfWork(events, (each, _) -> each == member, afterwards);
        processInUnitOfWork(events, part, List.of(segment));
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
        resetTokens(logs.getFirst().start());
    }

    @Override
    public <R> void resetTokens(@Nullable R resetContext) {
        resetTokens(logs.getFirst().start(), resetContext);
    }

    @Override
    public void resetTokens(Function<StreamableMessageSource<TrackedEventMessage<?>>, TrackingToken> start) {
        resetTokens(start, null);
    }

    @Override
    public <R> void resetTokens(
            Function<StreamableMessageSource<TrackedEventMessage<?>>, TrackingToken> start, @Nullable R resetContext) {
        requireResettable();
        logs.forEach(parts -> parts.place().run(() -> reset(parts, start.apply(parts.log()), resetContext)));
    }

    /** Restarts this processor from a position of the home log, while all other processors continue. */
    @Override
    public <R> void resetTokens(TrackingToken start, @Nullable R resetContext) {
        requireResettable();
        reset(logs.getFirst(), start, resetContext);
    }

    private void requireResettable() {
        if (isRunning() || !workers.isEmpty() || !supportsReset()) {
            throw new IllegalStateException(getName()
                    + (supportsReset() ? " has to be stopped first" : " has handlers that cannot begin anew"));
        }
    }

    private <R> void reset(ProcessorDependencies parts, TrackingToken start, @Nullable R resetContext) {
        Map<Integer, TrackingToken> reached = new TreeMap<>();
        parts.transactions().executeInTransaction(() -> {
            // This process must own all segments before any data is deleted.
            for (int segment : parts.tokens().fetchSegments(getName())) {
                reached.put(segment, parts.tokens().fetchToken(getName(), segment));
            }
            eventHandlerInvoker().performReset(resetContext);
            members.forEach(member ->
                    parts.parked().forgetAfter(member.name(), start.position().orElse(0)));
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
        return ProcessorRun.SEGMENTS * logs.size();
    }

    @Override
    public String getTokenStoreIdentifier() {
        return logs.getFirst().tokens().retrieveStorageIdentifier().orElse("postgresql");
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
