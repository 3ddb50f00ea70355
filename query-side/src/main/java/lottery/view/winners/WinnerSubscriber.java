package lottery.view.winners;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import lottery.api.activity.ActivityId;

/**
 * A subscriber to the winners of an activity. News is queued here, and the subscriber's own thread sends it. So a slow
 * connection does not delay others.
 */
final class WinnerSubscriber {

    /**
     * The most reads of the table that can be queued. A subscriber that falls further behind is dropped, and may
     * resume.
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
     * Queues news, and returns whether there was room. If there was no room, a part of the news would be missing, so no
     * more news is sent.
     */
    boolean offer(byte[] news) {
        if (!gone && !waiting.offer(news)) {
            gone = true;
        }
        return !gone;
    }

    void close() {
        gone = true;
        // This wakes a thread that waits. If the queue is full, no thread waits.
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
