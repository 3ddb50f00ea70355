package lottery.view.winners;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import lottery.api.activity.ActivityId;

/**
 * A subscriber to the winners of an activity. New winners are queued here, and the subscriber's own thread sends them.
 * So a slow connection does not delay other subscribers.
 */
final class WinnerSubscriber {

    /**
     * The most packets of new winners that can be queued. Each read of the table makes one packet. A subscriber that
     * falls further behind is dropped, and may connect again.
     */
    private static final int WAITING_MAX = 64;

    private final ActivityId activityId;
    private final BlockingQueue<byte[]> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
    private volatile boolean gone;

    WinnerSubscriber(ActivityId activityId) {
        this.activityId = activityId;
    }

    ActivityId activityId() {
        return activityId;
    }

    /**
     * Queues new winners, and returns whether there was room. Without room, these winners would be missing in the
     * stream. So no more winners are queued after that.
     */
    boolean offer(byte[] news) {
        if (!gone && !waiting.offer(news)) {
            gone = true;
        }
        return !gone;
    }

    void close() {
        gone = true;
        // The empty packet wakes the thread if it waits for news. If the queue is full, the packet is not added, but
        // then the thread does not wait, either.
        var _ = waiting.offer(new byte[0]);
    }

    boolean isGone() {
        return gone;
    }

    /** Returns all queued news; empty if none came within the time limit. */
    List<byte[]> next(Duration max) throws InterruptedException {
        List<byte[]> news = new ArrayList<>();
        byte[] first = waiting.poll(max.toMillis(), TimeUnit.MILLISECONDS);
        if (first != null) {
            news.add(first);
            waiting.drainTo(news);
        }
        return news;
    }
}
