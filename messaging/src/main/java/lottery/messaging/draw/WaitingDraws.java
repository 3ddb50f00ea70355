package lottery.messaging.draw;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.RaffleOrderId;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait on the topic, as one process has read them. Each partition has a queue of its own. This class
 * is thread-safe: one thread adds requests from the topic, and other threads query the requests.
 */
final class WaitingDraws {

    /** The time over which the speed of a queue is measured. */
    private static final Duration PACE_OVER = Duration.ofSeconds(10);

    /** A request in its queue. */
    private record WaitingRequest(int partition, long offset, QueuedDrawRequest request) {}

    /** The offset that a queue had reached at a time. */
    private record OffsetMark(long nanos, long ended) {}

    /** The requests of a partition. */
    private static final class PartitionQueue {

        private final Deque<WaitingRequest> waiting = new ArrayDeque<>();
        private final Deque<OffsetMark> marks = new ArrayDeque<>();

        /** The offset up to which all requests were drawn or refused. */
        private long ended;

        /** When a request was last drawn or refused, or when a request came while none waited. */
        private long movedNanos;

        private PartitionQueue(long ended, long nanos) {
            this.ended = ended;
            this.movedNanos = nanos;
        }

        /** Adds the newest progress. Nothing is noted while no request waits, so the last progress may be old. */
        private void note(OffsetMark newest) {
            OffsetMark last = marks.peekLast();
            if (last != null && newest.nanos() - last.nanos() > PACE_OVER.toNanos()) {
                marks.clear();
            }
            marks.add(newest);
            while (marks.size() > 2 && newest.nanos() - marks.getFirst().nanos() > PACE_OVER.toNanos()) {
                marks.removeFirst();
            }
        }

        /** Returns how many requests are drawn or refused per second; empty if none was. */
        private OptionalDouble pace() {
            OffsetMark first = marks.peekFirst();
            OffsetMark last = marks.peekLast();
            return first == null || last == null || first.ended() == last.ended()
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(1e9 * (last.ended() - first.ended()) / (last.nanos() - first.nanos()));
        }
    }

    private final Map<Integer, PartitionQueue> queues = new HashMap<>();
    private final Map<RaffleOrderId, WaitingRequest> byOrder = new HashMap<>();
    private final Map<ActivityId, Integer> ofActivities = new HashMap<>();

    /** Forgets all requests, because the topic is read anew and may have other partitions. */
    synchronized void clear() {
        queues.clear();
        byOrder.clear();
        ofActivities.clear();
    }

    /** Begins a partition, which is read from this offset on. */
    synchronized void begin(int partition, long ended, long nanos) {
        queues.put(partition, new PartitionQueue(ended, nanos));
    }

    /** Adds a request that was read. */
    synchronized void add(int partition, long offset, QueuedDrawRequest request, long nanos) {
        PartitionQueue queue = queues.get(partition);
        if (queue == null || offset < queue.ended) {
            return;
        }
        if (queue.waiting.isEmpty()) {
            queue.movedNanos = nanos;
        }
        WaitingRequest waiting = new WaitingRequest(partition, offset, request);
        queue.waiting.add(waiting);
        // A request that was sent twice has the position of its first copy.
        byOrder.putIfAbsent(request.orderId(), waiting);
        ofActivities.merge(request.activityId(), 1, Integer::sum);
    }

    /** Records that all requests of a partition before this offset were drawn or refused. */
    synchronized void ended(int partition, long offset, long nanos) {
        PartitionQueue queue = queues.get(partition);
        if (queue == null) {
            return;
        }
        if (offset > queue.ended) {
            queue.ended = offset;
            queue.movedNanos = nanos;
        }
        queue.note(new OffsetMark(nanos, queue.ended));
        for (WaitingRequest next = queue.waiting.peek();
                next != null && next.offset() < queue.ended;
                next = queue.waiting.peek()) {
            forget(queue.waiting.remove());
        }
    }

    private void forget(WaitingRequest waiting) {
        byOrder.remove(waiting.request().orderId(), waiting);
        ofActivities.computeIfPresent(waiting.request().activityId(), (_, count) -> count == 1 ? null : count - 1);
    }

    synchronized Optional<DrawQueuePosition> find(RaffleOrderId orderId) {
        @Nullable WaitingRequest waiting = byOrder.get(orderId);
        return waiting == null
                ? Optional.empty()
                : Optional.of(placed(waiting.request(), waiting.partition(), waiting.offset(), false));
    }

    /** Returns a request with its position, which follows from the offset that the broker gave it. */
    synchronized DrawQueuePosition placed(QueuedDrawRequest request, int partition, long offset, boolean isNew) {
        PartitionQueue queue = queues.get(partition);
        long position = queue == null ? 1 : Math.max(1, offset - queue.ended + 1);
        OptionalDouble pace = queue == null ? OptionalDouble.empty() : queue.pace();
        return new DrawQueuePosition(
                request, position, pace.isPresent() ? (long) Math.ceil(position / pace.getAsDouble()) : null, isNew);
    }

    /** Returns how many requests of an activity wait. */
    synchronized int count(ActivityId activityId) {
        return ofActivities.getOrDefault(activityId, 0);
    }

    synchronized int count() {
        return queues.values().stream().mapToInt(queue -> queue.waiting.size()).sum();
    }

    /** Returns how many requests are drawn or refused per second, where any request waits. */
    synchronized double pace() {
        return queues.values().stream()
                .filter(queue -> !queue.waiting.isEmpty())
                .mapToDouble(queue -> queue.pace().orElse(0))
                .sum();
    }

    /** Returns for how long the oldest request has waited. */
    synchronized Duration oldest(Instant now) {
        return queues.values().stream()
                .flatMap(queue -> Optional.ofNullable(queue.waiting.peek()).stream())
                .map(first -> Duration.between(first.request().queuedAt(), now))
                .max(Duration::compareTo)
                .filter(age -> !age.isNegative())
                .orElse(Duration.ZERO);
    }

    /** Returns the longest time for which the requests of any partition have waited without progress. */
    synchronized Duration stuck(long nanos) {
        return queues.values().stream()
                .filter(queue -> !queue.waiting.isEmpty())
                .map(queue -> Duration.ofNanos(nanos - queue.movedNanos))
                .max(Duration::compareTo)
                .filter(time -> !time.isNegative())
                .orElse(Duration.ZERO);
    }
}
