package lottery.messaging.draw;

import org.jspecify.annotations.Nullable;

/**
 * A request in the queue, and its place there.
 *
 * @param position how many requests are drawn until this one is drawn, including this one. All requests of the
 *     partition count, also those of other activities that share it
 * @param expectedWaitSeconds how long that takes at the pace of the last seconds; null if no request was drawn in them
 * @param isNew whether the request was accepted just now
 */
public record DrawQueuePosition(
        DrawRequest request, long position, @Nullable Long expectedWaitSeconds, boolean isNew) {}
