package lottery.store.processing;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.axonframework.common.stream.BlockingStream;
import org.axonframework.eventhandling.EventHandlerInvoker;
import org.axonframework.eventhandling.EventMessage;
import org.axonframework.eventhandling.GlobalSequenceTrackingToken;
import org.axonframework.eventhandling.Segment;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.messaging.StreamableMessageSource;
import org.axonframework.messaging.unitofwork.BatchingUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;
import org.jspecify.annotations.Nullable;

/**
 * A processing group of a processor. The members of a processor share its token and its transactions. Each has its own
 * parked events.
 */
final class ProcessorMember {

    private static final int CAUSES_MAX = 50;

    private final String name;
    private final EventHandlerInvoker handlers;
    private final boolean isRebuilt;

    /** Whether there is any handler for a type of event. Most members ignore most types. */
    private final ClassValue<Boolean> types = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return handlers.canHandleType(type);
        }
    };

    /**
     * The types of events that a handler has wanted. Later events of such a type are handed over without a check,
     * because Axon asks the handlers anyway.
     */
    private final Set<Class<?>> wanted = ConcurrentHashMap.newKeySet();

    /** @param isRebuilt whether a replay can build its data from the log */
    ProcessorMember(String name, EventHandlerInvoker handlers, boolean isRebuilt) {
        this.name = name;
        this.handlers = handlers;
        this.isRebuilt = isRebuilt;
    }

    String name() {
        return name;
    }

    EventHandlerInvoker handlers() {
        return handlers;
    }

    boolean isRebuilt() {
        return isRebuilt;
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
            boolean isWanted = types.get(type) && handlers.canHandle(event, segment);
            if (isWanted) {
                wanted.add(type);
            }
            return isWanted;
        } catch (RuntimeException e) {
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

    /** Names the member whose handler has failed. */
    static final class MemberFailedException extends RuntimeException {

        private static final long serialVersionUID = 1;

        private final String member;

        private MemberFailedException(String member, Throwable cause) {
            super(cause.toString(), cause);
            this.member = member;
        }

        /** Returns the failure of a member that has led to this failure, if a member is known. */
        static Optional<MemberFailedException> in(@Nullable Throwable failure) {
            @Nullable Throwable cause = failure;
            for (int depth = 0; cause != null && depth < CAUSES_MAX; depth++) {
                if (cause instanceof MemberFailedException failed) {
                    return Optional.of(failed);
                }
                cause = cause.getCause();
            }
            return Optional.empty();
        }

        /** Returns the failure of the handler, or the failure itself if no member is known. */
        static Throwable causeOf(Throwable failure) {
            return in(failure).<Throwable>map(Throwable::getCause).orElse(failure);
        }

        String member() {
            return member;
        }
    }

    /**
     * The unit of work of a batch of events, which hands each event to the members that get it. Handlers leave work for
     * the end of the batch. If that work fails, the failure still names the member.
     */
    static final class MemberUnitOfWork extends BatchingUnitOfWork<TrackedEventMessage<?>> {

        private final BiPredicate<ProcessorMember, TrackedEventMessage<?>> isFor;
        private final @Nullable Consumer<Runnable> afterwards;
        private @Nullable ProcessorMember atWork;

        /**
         * @param isFor whether a member gets an event
         * @param afterwards takes what is to be done after the commit, if the transaction goes on when this unit ends;
         *     null: the transaction ends with this unit
         */
        MemberUnitOfWork(
                List<TrackedEventMessage<?>> events,
                BiPredicate<ProcessorMember, TrackedEventMessage<?>> isFor,
                @Nullable Consumer<Runnable> afterwards) {
            super(events);
            this.isFor = isFor;
            this.afterwards = afterwards;
        }

        /** Hands the current event to each of these members that gets it. */
        void handOut(EventMessage<?> event, List<ProcessorMember> members, Segment segment) {
            for (ProcessorMember member : members) {
                if (isFor.test(member, getMessage())) {
                    work(member, () -> member.handlers.handle(event, segment));
                }
            }
        }

        @Override
        protected void addHandler(Phase phase, Consumer<UnitOfWork<TrackedEventMessage<?>>> handler) {
            ProcessorMember member = atWork;
            super.addHandler(phase, member == null ? handler : unit -> work(member, () -> handler.accept(unit)));
        }

        @Override
        protected void notifyHandlers(Phase phase) {
            if (phase == Phase.AFTER_COMMIT && afterwards != null) {
                afterwards.accept(() -> super.notifyHandlers(phase));
            } else {
                super.notifyHandlers(phase);
            }
        }

        private interface MemberTask {
            void go() throws Exception;
        }

        private void work(ProcessorMember member, MemberTask task) {
            ProcessorMember before = atWork;
            atWork = member;
            try {
                task.go();
            } catch (MemberFailedException e) {
                throw e;
            } catch (Exception | Error e) {
                throw new MemberFailedException(member.name, e);
            } finally {
                atWork = before;
            }
        }
    }
}
