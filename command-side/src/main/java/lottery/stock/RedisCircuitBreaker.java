package lottery.stock;

import java.util.concurrent.atomic.AtomicReference;
import lottery.store.memory.RedisFailureLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Decides whether Redis is asked. One failure opens the circuit, and then no draw asks. A probe in the background
 * closes it again, so that no draw waits to find out.
 */
@Component
class RedisCircuitBreaker {

    private static final Logger LOG = LoggerFactory.getLogger(RedisCircuitBreaker.class);

    /**
     * The state from one change to the next.
     *
     * @param era rises with each change; knowledge from an earlier era is out of date
     */
    record State(boolean isClosed, int era) {}

    private final AtomicReference<State> state = new AtomicReference<>(new State(false, 0));
    private final RedisFailureLog failures = new RedisFailureLog("units");

    State state() {
        return state.get();
    }

    /** Opens the circuit. A failure of an earlier era says nothing about this one. */
    void lost(State asked, RedisAway away) {
        if (asked.isClosed() && state.compareAndSet(asked, new State(false, asked.era() + 1))) {
            LOG.info("Units come from PostgreSQL.");
            LOG.debug("Redis is away.", away);
        }
        failures.failed(away);
    }

    /** Notes that a probe has failed: Redis is still away. */
    void stillLost(RedisAway away) {
        failures.failed(away);
    }

    void found(State asked) {
        failures.answered();
        if (!asked.isClosed() && state.compareAndSet(asked, new State(true, asked.era() + 1))) {
            LOG.info("Units come from Redis.");
        }
    }
}
