package lottery;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import lottery.api.raffle.RaffleOrderId;
import lottery.messaging.draw.DrawQueue;
import lottery.messaging.draw.DrawQueuePosition;
import lottery.messaging.draw.QueuedDrawRequest;

/** A queue that a test empties itself. */
final class DrawQueueInMemory implements DrawQueue {

    private final Map<RaffleOrderId, QueuedDrawRequest> waiting = new LinkedHashMap<>();

    @Override
    public synchronized DrawQueuePosition accept(QueuedDrawRequest request) {
        boolean isNew = waiting.putIfAbsent(request.orderId(), request) == null;
        return placed(request.orderId(), isNew).orElseThrow();
    }

    private Optional<DrawQueuePosition> placed(RaffleOrderId orderId, boolean isNew) {
        QueuedDrawRequest request = waiting.get(orderId);
        long position = new ArrayList<>(waiting.keySet()).indexOf(orderId) + 1L;
        return Optional.ofNullable(request).map(found -> new DrawQueuePosition(found, position, null, isNew));
    }

    @Override
    public boolean isCurrent() {
        return true;
    }

    @Override
    public synchronized Optional<DrawQueuePosition> seen(RaffleOrderId orderId) {
        return placed(orderId, false);
    }

    @Override
    public synchronized Optional<DrawQueuePosition> find(RaffleOrderId orderId) {
        return placed(orderId, false);
    }

    /** Removes and returns all requests that wait, in their order. */
    synchronized List<QueuedDrawRequest> takeAll() {
        List<QueuedDrawRequest> all = List.copyOf(waiting.values());
        waiting.clear();
        return all;
    }
}
