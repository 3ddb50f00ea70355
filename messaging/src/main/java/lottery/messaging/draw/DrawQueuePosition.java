package lottery.messaging.draw;

import org.jspecify.annotations.Nullable;

/**
 * A request in the queue, and its place there.
 *
 * @param position how many requests have to be drawn until this request is drawn, including this request. All requests
 *     of the partition count, also requests of other activities
 * @param expectedWaitSeconds how long these requests take at the pace of the last seconds; null if no request was drawn
 *     in that time
 * @param isNew whether the request was accepted just now
 */
public record DrawQueuePosition(
        QueuedDrawRequest request, long position, @Nullable Long expectedWaitSeconds, boolean isNew) {}
