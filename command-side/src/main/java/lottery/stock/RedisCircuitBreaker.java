package lottery.stock;

import java.util.concurrent.atomic.AtomicReference;
import lottery.store.memory.RedisFailureLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Decides whether draws ask Redis for units. One failure opens the circuit, and while it is open, no draw asks Redis. A
 * probe in the background tests Redis and closes the circuit again, so that no draw has to wait for this test.
 */
@Component
class RedisCircuitBreaker {

    private static final Logger LOG = LoggerFactory.getLogger(RedisCircuitBreaker.class);

    /**
     * The state of the circuit from one change to the next.
     *
     * @param era rises with each change; knowledge from an earlier era is out of date
     */
    record CircuitState(boolean isClosed, int era) {}

    private final AtomicReference<CircuitState> state = new AtomicReference<>(new CircuitState(false, 0));
    private final RedisFailureLog failures = new RedisFailureLog("stock");

    CircuitState state() {
        return state.get();
    }

    /**
     * Opens the circuit because of a failure. A failure from an earlier era does not open it, because it says nothing
     * about Redis now.
     */
    void open(CircuitState circuitState, RedisUnavailableException away) {
        if (circuitState.isClosed()
                && state.compareAndSet(circuitState, new CircuitState(false, circuitState.era() + 1))) {
            LOG.info("Stock comes from PostgreSQL, because Redis cannot be used. Draws go on.");
            LOG.debug("Redis cannot be used.", away);
        }
        failures.failed(away);
    }

    /** Notes that a probe has failed. Redis is still away, and the circuit stays open. */
    void probeFailed(RedisUnavailableException away) {
        failures.failed(away);
    }

    void close(CircuitState circuitState) {
        failures.answered();
        if (!circuitState.isClosed()
                && state.compareAndSet(circuitState, new CircuitState(true, circuitState.era() + 1))) {
            LOG.info("Stock comes from Redis.");
        }
    }
}
