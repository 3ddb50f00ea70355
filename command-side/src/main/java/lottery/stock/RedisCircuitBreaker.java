package lottery.stock;

import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Decides whether Redis is to be asked. One failure opens the circuit, and then nobody asks; what closes it again is a
 * probe in the background, so that no draw ever waits to find out.
 */
@Component
class RedisCircuitBreaker {

    private static final Logger LOG = LoggerFactory.getLogger(RedisCircuitBreaker.class);

    /**
     * From one change to the next.
     *
     * @param era what was learned in an earlier one is old
     */
    record State(boolean isClosed, int era) {}

    private final AtomicReference<State> state = new AtomicReference<>(new State(false, 0));

    State state() {
        return state.get();
    }

    /** Who asked in an earlier era says nothing about this one. */
    void lost(State asked, RedisAway away) {
        if (asked.isClosed() && state.compareAndSet(asked, new State(false, asked.era() + 1))) {
            LOG.info("Slots come from PostgreSQL.");
            LOG.debug("Redis is away.", away);
        }
    }

    void found(State asked) {
        if (!asked.isClosed() && state.compareAndSet(asked, new State(true, asked.era() + 1))) {
            LOG.info("Slots come from Redis.");
        }
    }
}
