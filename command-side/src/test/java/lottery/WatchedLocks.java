package lottery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.axonframework.common.lock.Lock;
import org.axonframework.common.lock.LockAcquisitionFailedException;
import org.axonframework.common.lock.LockFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Counts how the locks of the aggregates are used. */
final class WatchedLocks implements LockFactory {

    /** Wraps the locks of the product. */
    static final class OfAggregates implements BeanPostProcessor {

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            return bean instanceof LockFactory locks ? new WatchedLocks(locks) : bean;
        }
    }

    private final LockFactory locks;
    private final ThreadLocal<List<String>> held = ThreadLocal.withInitial(ArrayList::new);
    private final AtomicInteger orderBeforeAccount = new AtomicInteger();
    private final AtomicInteger waitedInVain = new AtomicInteger();
    private final AtomicInteger heldNow = new AtomicInteger();
    private final AtomicLong longestWaitNanos = new AtomicLong();

    private WatchedLocks(LockFactory locks) {
        this.locks = locks;
    }

    void reset() {
        orderBeforeAccount.set(0);
        waitedInVain.set(0);
        longestWaitNanos.set(0);
    }

    /** Returns how often a thread with the lock of an order wanted the lock of an account, which another may hold. */
    int orderBeforeAccount() {
        return orderBeforeAccount.get();
    }

    /** Returns how often a thread gave up: after a second, in a queue that was full, or in a deadlock. */
    int waitedInVain() {
        return waitedInVain.get();
    }

    /** Returns how many locks are held now. */
    int heldNow() {
        return heldNow.get();
    }

    Duration longestWait() {
        return Duration.ofNanos(longestWaitNanos.get());
    }

    @Override
    public Lock obtainLock(String id) {
        List<String> mine = held.get();
        if (id.startsWith("account:")
                && !mine.contains(id)
                && mine.stream().anyMatch(other -> other.startsWith("order:"))) {
            orderBeforeAccount.incrementAndGet();
        }
        long start = System.nanoTime();
        try {
            Lock lock = locks.obtainLock(id);
            mine.add(id);
            heldNow.incrementAndGet();
            return new Held(id, lock);
        } catch (LockAcquisitionFailedException e) {
            waitedInVain.incrementAndGet();
            throw e;
        } finally {
            longestWaitNanos.accumulateAndGet(System.nanoTime() - start, Math::max);
        }
    }

    private final class Held implements Lock {

        private final String id;
        private final Lock lock;

        Held(String id, Lock lock) {
            this.id = id;
            this.lock = lock;
        }

        @Override
        public void release() {
            held.get().remove(id);
            heldNow.decrementAndGet();
            lock.release();
        }

        @Override
        public boolean isHeld() {
            return lock.isHeld();
        }
    }
}
