package lottery.view.winners;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import lottery.api.activity.ActivityId;

/**
 * A subscriber to the winners of an activity. What is told is put down here, and the listener's own thread sends it, so
 * that nobody waits for a connection that is slow.
 */
final class WinnerSubscriber {

    /** Each is what has come in one look at the table. Who is behind by more than these is let go, and may resume. */
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

    /** Whether there was room. Without it the listener would miss something, and so it gets nothing any more. */
    boolean tell(byte[] news) {
        if (!gone && !waiting.offer(news)) {
            gone = true;
        }
        return !gone;
    }

    void letGo() {
        gone = true;
        // Who waits is woken; where there is no room nobody waits.
        var _ = waiting.offer(new byte[0]);
    }

    boolean isGone() {
        return gone;
    }

    /** All that waits to be sent; nothing if nothing has come for so long. */
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
