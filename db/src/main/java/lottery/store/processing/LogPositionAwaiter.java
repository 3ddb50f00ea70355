package lottery.store.processing;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import lottery.store.processing.ProcessorPositionAwaiter.Arrival;
import lottery.store.token.TokenPositions;
import org.axonframework.eventhandling.TrackedEventMessage;
import org.axonframework.messaging.StreamableMessageSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks the positions of the processors in one log, and lets callers wait for a position. A processor of this process
 * reports its position after each batch, and callers wake at once. For a processor of another process, its token is
 * polled, once for all callers that wait. Callers name processing groups. Groups that share a processor have one
 * position, except a group that does not follow it yet.
 */
final class LogPositionAwaiter {

    private static final Logger LOG = LoggerFactory.getLogger(LogPositionAwaiter.class);

    /** How many callers may wait; further callers are refused. */
    private static final int WAITING_MAX = 1_000;

    private static final Duration LOOK_ELSEWHERE = Duration.ofMillis(20);

    /** How often a waiting caller checks whether another process has taken over a processor of this process. */
    private static final Duration LOOK_HERE = Duration.ofMillis(200);

    /**
     * The most positions that are checked in one read of the log. A caller that needs more positions starts another
     * read.
     */
    private static final long POSITIONS_PER_READING_MAX = 10_000;

    private final StreamableMessageSource<TrackedEventMessage<?>> events;
    private final TokenPositions tokens;
    private final Semaphore places = new Semaphore(WAITING_MAX);
    private final Map<String, AwaitedProcessor> awaitedProcessors = new ConcurrentHashMap<>();

    LogPositionAwaiter(StreamableMessageSource<TrackedEventMessage<?>> events, TokenPositions tokens) {
        this.events = events;
        this.tokens = tokens;
    }

    /** The position of one processor, as this process knows it. */
    private static final class AwaitedProcessor {

        private final ProcessorMember processor;
        private final PriorityQueue<Waiter> waiters = new PriorityQueue<>();
        private boolean here;
        private long position;

        /**
         * The token's position from which {@code passedUpTo} was found, if another process runs this processor. From
         * here up to {@code passedUpTo}, the processor has nothing to handle.
         */
        private long passedFrom;

        private long passedUpTo;

        /** Whether a thread is reading the log for {@code passedUpTo}. */
        private boolean reading;

        AwaitedProcessor(ProcessorMember processor) {
            this.processor = processor;
        }

        synchronized boolean hasReached(long wanted) {
            return here && position >= wanted;
        }

        synchronized boolean isHere() {
            return here;
        }

        synchronized OptionalLong place() {
            return here ? OptionalLong.of(position) : OptionalLong.empty();
        }

        synchronized Waiter expect(long wanted) {
            Waiter waiter = new Waiter(wanted, new CountDownLatch(1));
            waiters.add(waiter);
            wake();
            return waiter;
        }

        synchronized void forget(Waiter waiter) {
            waiters.remove(waiter);
        }

        synchronized void isAt(long reached) {
            here = true;
            position = reached;
            wake();
        }

        synchronized void leaves() {
            here = false;
        }

        private void wake() {
            if (here) {
                wakeUpTo(position);
            }
        }

        private void wakeUpTo(long reached) {
            while (!waiters.isEmpty() && waiters.peek().position() <= reached) {
                waiters.remove().signal().countDown();
            }
        }

        /**
         * Returns the position up to which all events are known to be handled by a processor of another process. While
         * a processor has nothing to handle, it stores its token only now and then. Therefore events after the token
         * count as handled if no handler wants them. The log is read to find these events, once for all callers.
         * Another thread reads it, because this may take longer than callers can wait.
         */
        synchronized long passed(long token, long wanted, StreamableMessageSource<TrackedEventMessage<?>> events) {
            if (passedFrom != token) {
                passedFrom = token;
                passedUpTo = token;
            }
            if (passedUpTo < wanted && !reading) {
                reading = true;
                long from = passedUpTo;
                long upTo = Math.min(wanted, from + POSITIONS_PER_READING_MAX);
                Thread.ofVirtual()
                        .name("position-awaiter-" + processor.name())
                        .start(() -> read(token, from, upTo, events));
            }
            return passedUpTo;
        }

        private void read(long token, long from, long upTo, StreamableMessageSource<TrackedEventMessage<?>> events) {
            long passed = from;
            try {
                passed = processor.unwantedAfter(from, upTo, events);
            } catch (InterruptedException ending) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException away) {
                LOG.debug("The log cannot be read. Requests that wait for a position try again.", away);
            } finally {
                hasRead(token, passed);
            }
        }

        private synchronized void hasRead(long token, long passed) {
            reading = false;
            if (passedFrom == token) {
                passedUpTo = Math.max(passedUpTo, passed);
                wakeUpTo(passedUpTo);
            }
        }
    }

    private record Waiter(long position, CountDownLatch signal) implements Comparable<Waiter> {

        @Override
        public int compareTo(Waiter other) {
            return Long.compare(position, other.position);
        }
    }

    void knows(BatchEventProcessor processor) {
        processor.members().forEach(member -> awaitedProcessors.put(member.name(), new AwaitedProcessor(member)));
    }

    void isAt(String processor, long position) {
        course(processor).isAt(position);
    }

    void leaves(String processor) {
        course(processor).leaves();
    }

    /** Returns the names of all processing groups of this process. */
    Set<String> groups() {
        return Set.copyOf(awaitedProcessors.keySet());
    }

    /** Returns the position of a processor of this process; empty if another process has it. */
    OptionalLong here(String processor) {
        AwaitedProcessor awaited = awaitedProcessors.get(processor);
        return awaited == null ? OptionalLong.empty() : awaited.place();
    }

    /**
     * Returns whether a processing group has passed the position, in whichever process it runs. Its parked events still
     * wait. While the group has nothing to handle, this is known a few seconds late.
     */
    boolean hasPassed(String group, long position) {
        Long token = tokens.of(group);
        return token != null && token >= position;
    }

    private AwaitedProcessor course(String processor) {
        AwaitedProcessor awaited = awaitedProcessors.get(processor);
        if (awaited == null) {
            throw new IllegalArgumentException("there is no processor " + processor);
        }
        return awaited;
    }

    /** Waits until all of these processors have handled everything up to the position. */
    Arrival await(Collection<String> processors, long position, Duration max) throws InterruptedException {
        long deadline = System.nanoTime() + max.toNanos();
        for (String processor : processors) {
            Arrival arrival = await(processor, position, deadline);
            if (arrival != Arrival.REACHED) {
                return arrival;
            }
        }
        return Arrival.REACHED;
    }

    private Arrival await(String processor, long position, long deadline) throws InterruptedException {
        AwaitedProcessor awaited = course(processor);
        if (awaited.hasReached(position)) {
            return Arrival.REACHED;
        }
        if (!places.tryAcquire()) {
            return Arrival.TOO_MANY_WAITING;
        }
        Waiter waiter = awaited.expect(position);
        try {
            return await(processor, awaited, waiter, deadline);
        } finally {
            awaited.forget(waiter);
            places.release();
        }
    }

    private Arrival await(String processor, AwaitedProcessor awaited, Waiter waiter, long deadline)
            throws InterruptedException {
        if (!awaited.isHere() && isThereElsewhere(processor, awaited, waiter.position())) {
            return Arrival.REACHED;
        }
        boolean plausible = false;
        while (true) {
            long look = (awaited.isHere() ? LOOK_HERE : LOOK_ELSEWHERE).toNanos();
            long left = deadline - System.nanoTime();
            if (waiter.signal().await(Math.min(left, look), TimeUnit.NANOSECONDS)) {
                return Arrival.REACHED;
            }
            if (left <= look) {
                return Arrival.LATE;
            }
            if (!plausible && waiter.position() > head()) {
                return Arrival.NEVER;
            }
            plausible = true;
            if (isThereElsewhere(processor, awaited, waiter.position())) {
                return Arrival.REACHED;
            }
        }
    }

    private long head() {
        return events.createHeadToken().position().orElse(0);
    }

    private boolean isThereElsewhere(String processor, AwaitedProcessor awaited, long wanted) {
        Long token = tokens.of(processor);
        return token != null && (token >= wanted || awaited.passed(token, wanted, events) >= wanted);
    }
}
