package lottery.messaging.draw;

import org.jspecify.annotations.Nullable;

/**
 * A request in the queue, and its place there.
 *
 * @param position how many requests are drawn until this one is, itself included. They are all those of its line, which
 *     an activity may share with others
 * @param expectedWaitSeconds how long that takes at the pace of the last seconds; null if nothing was drawn in them
 * @param isNew whether it was accepted just now
 */
public record DrawQueuePosition(
        DrawRequest request, long position, @Nullable Long expectedWaitSeconds, boolean isNew) {}
