package lottery.store.projection;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the claim on a replay while this process carries it out. A range may take longer than a claim lasts. Without a
 * renewal, another process would then begin the same range again.
 */
final class ReplayLeaseKeeper implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ReplayLeaseKeeper.class);

    private static final Duration PAUSE = ReplayTable.CLAIM_MAX.dividedBy(4);

    private final CountDownLatch ended = new CountDownLatch(1);
    private final String processor;
    private final ReplayTable table;

    ReplayLeaseKeeper(String processor, ReplayTable table) {
        this.processor = processor;
        this.table = table;
        Thread.ofVirtual().name("replay-claim").start(this::keep);
    }

    private void keep() {
        try {
            while (!ended.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS) && isKept()) {
                log.trace("The replay of {} goes on.", processor);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isKept() {
        try {
            return table.keep(processor);
        } catch (RuntimeException away) {
            log.debug("The claim on the replay of {} could not be renewed. It is tried again.", processor, away);
            return true;
        }
    }

    @Override
    public void close() {
        ended.countDown();
    }
}
