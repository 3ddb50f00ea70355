package lottery.stock;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.stream.Collectors;
import lottery.stock.RedisCircuitBreaker.CircuitState;
import lottery.stock.RedisStockStore.Reservation;
import org.springframework.stereotype.Component;

/**
 * Tells Redis in the background, in batches, which reservations were committed. If it misses a reservation, the
 * {@link ReservationExpiry} finds this reservation later.
 */
@Component
class ReservationConfirmer {

    private static final int WAITING_MAX = 20_000;
    private static final int BATCH_MAX = 500;

    private record CommittedReservation(String scope, Reservation reservation) {}

    private final BlockingQueue<CommittedReservation> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
    private final RedisStockStore redis;
    private final RedisCircuitBreaker circuit;

    ReservationConfirmer(RedisStockStore redis, RedisCircuitBreaker circuit) {
        this.redis = redis;
        this.circuit = circuit;
    }

    void add(String scope, Reservation reservation) {
        boolean _ = waiting.offer(new CommittedReservation(scope, reservation));
    }

    /** Confirms all committed reservations that are queued now. */
    void confirm() {
        List<CommittedReservation> all = new ArrayList<>();
        waiting.drainTo(all);
        CircuitState circuitState = circuit.state();
        if (!circuitState.isClosed()) {
            return;
        }
        try {
            for (int from = 0; from < all.size(); from += BATCH_MAX) {
                confirm(all.subList(from, Math.min(from + BATCH_MAX, all.size())));
            }
        } catch (RedisUnavailableException away) {
            circuit.open(circuitState, away);
        }
    }

    private void confirm(List<CommittedReservation> batch) throws RedisUnavailableException {
        Map<String, List<Reservation>> byScope = batch.stream()
                .collect(Collectors.groupingBy(
                        CommittedReservation::scope,
                        Collectors.mapping(CommittedReservation::reservation, Collectors.toList())));
        for (Map.Entry<String, List<Reservation>> each : byScope.entrySet()) {
            if (!redis.settle(each.getKey(), each.getValue())) {
                each.getValue().forEach(reservation -> add(each.getKey(), reservation));
            }
        }
    }
}
