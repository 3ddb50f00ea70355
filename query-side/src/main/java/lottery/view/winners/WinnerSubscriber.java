package lottery.view.winners;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import lottery.api.activity.ActivityId;

/**
 * A subscriber to the winners of an activity. News is queued here, and the subscriber's own thread sends it, so that a
 * slow connection delays nobody.
 */
final class WinnerSubscriber {

    /** The most queued reads of the table. A subscriber that falls further behind is dropped, and may resume. */
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

    /** Queues news, and returns whether there was room. Without it news would be missing, and no more is sent. */
    boolean tell(byte[] news) {
        if (!gone && !waiting.offer(news)) {
            gone = true;
        }
        return !gone;
    }

    void letGo() {
        gone = true;
        // This wakes a thread that waits; if the queue is full, none waits.
        var _ = waiting.offer(new byte[0]);
    }

    boolean isGone() {
        return gone;
    }

    /** Returns all queued news, or nothing if none came within the time limit. */
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
