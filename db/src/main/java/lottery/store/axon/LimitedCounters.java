package lottery.store.axon;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import lottery.store.commit.CommitUnit;
import lottery.store.commit.CommitUnit.CounterChange;
import lottery.store.commit.CounterBlocks;
import lottery.store.commit.CounterBlocks.Remainder;
import lottery.store.commit.CounterExhaustedException;
import lottery.store.log.Log;
import lottery.store.log.Logs;
import lottery.store.loop.BackgroundLoop;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.messaging.unitofwork.UnitOfWork;

/**
 * Counters of limited things: how much of each is taken. A unit of work takes something, or gives it back, in the
 * commit of its events, so neither happens without the other. Commits are serial anyway, so nobody waits for a counter.
 *
 * <p>Nobody asks a counter before taking. If too little is left, the commit fails, and the command is decided again.
 * From then on this process knows how much of this thing is taken. So this costs a few failed commits for each thing
 * that comes to its end, and not one for each command.
 *
 * <p>With several logs, a counter is kept in the home log, and each other log takes from blocks that
 * {@link CounterBlocks} leases to it.
 */
public final class LimitedCounters implements AutoCloseable {

    private static final int EXHAUSTED_MAX = 10_000;
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration BETWEEN_READS = Duration.ofMillis(50);

    /** How long a counter is known after nobody has asked for it. */
    private static final Duration UNUSED_MAX = Duration.ofMinutes(10);

    private final UnitOfWorkAppender appender;
    private final Logs logs;
    private final CounterBlocks blocks;

    /** With one log: how much is taken, as this process knows it, of each counter from which it once could not take. */
    private final Cache<String, AtomicLong> known = Caffeine.newBuilder()
            .maximumSize(EXHAUSTED_MAX)
            .expireAfterAccess(UNUSED_MAX)
            .build();

    /** With several logs: the counters from which a log could not take, because nothing was left for it. */
    private final Cache<CounterInLog, UnleasedCounter> unleased = Caffeine.newBuilder()
            .maximumSize(EXHAUSTED_MAX)
            .expireAfterAccess(UNUSED_MAX)
            .build();

    private record CounterInLog(Log log, String counter) {}

    /**
     * @param amount how much the command wanted that has failed
     * @param total the limit by which it was decided
     * @param left how much the log can still take
     */
    private record UnleasedCounter(long amount, long total, AtomicLong left) {}

    private final AtomicBoolean outdated = new AtomicBoolean();

    /** With several logs: whether a log that did not answer may have something that another one lacks. */
    private volatile boolean incomplete;

    private final BackgroundLoop reads = new BackgroundLoop(
            "counters",
            PAUSE,
            this::readKnown,
            "The counters could not be read: {}. What was given back is not taken until this succeeds.");

    LimitedCounters(UnitOfWorkAppender appender, Logs logs) {
        this.appender = appender;
        this.logs = logs;
        this.blocks = new CounterBlocks(logs);
    }

    void start() {
        reads.start();
    }

    /**
     * Takes something in the commit of this unit of work. If too little is left by then, the unit of work fails with
     * {@link CounterExhaustedException}.
     *
     * @param amount how much is taken; 0 only requires that no more than the limit is taken
     * @param total the limit by which the command was decided
     */
    public void take(String counter, long amount, long total) {
        if (amount < 0) {
            throw new IllegalArgumentException("too little can be taken: %d of %s".formatted(amount, counter));
        }
        CommitUnit unit = add(new CounterChange(counter, amount, total));
        CurrentUnitOfWork.get().root().onRollback(failed -> learn(failed, unit, counter, total));
    }

    /** Gives back what was taken earlier, in the commit of this unit of work. */
    public void giveBack(String counter, long amount) {
        if (amount <= 0) {
            throw new IllegalArgumentException("nothing can be given back: %d of %s".formatted(amount, counter));
        }
        CommitUnit unit = add(CounterChange.giveBack(counter, amount));
        CurrentUnitOfWork.get().afterCommit(_ -> {
            // The next command of this process can take it at once.
            AtomicLong taken = known.getIfPresent(counter);
            if (taken != null) {
                taken.addAndGet(-amount);
            }
            UnleasedCounter there = unleased.getIfPresent(new CounterInLog(unit.log(), counter));
            if (there != null) {
                there.left().addAndGet(amount);
            }
            recheck();
        });
    }

    private CommitUnit add(CounterChange change) {
        CommitUnit unit = appender.unit();
        unit.count(change);
        CurrentUnitOfWork.get().onRollback(_ -> unit.forgetCount(change));
        return unit;
    }

    /**
     * Notes how much is taken, if this was the reason why the unit of work has failed. If there are several logs, it
     * first tries to get a block for the next attempt.
     */
    private void learn(UnitOfWork<?> failed, CommitUnit unit, String counter, long total) {
        if (!failed.getExecutionResult().isExceptionResult()
                || !(failed.getExecutionResult().getExceptionResult() instanceof CounterExhaustedException exhausted)
                || !exhausted.counter().equals(counter)) {
            return;
        }
        if (logs.all().size() > 1) {
            lease(new CounterInLog(unit.log(), counter), exhausted.amount(), total);
            return;
        }
        known.put(counter, new AtomicLong(exhausted.taken()));
        // Something may have been given back since the commit has failed.
        recheck();
    }

    private void lease(CounterInLog counter, long amount, long total) {
        Remainder left = blocks.lease(counter.log(), counter.counter(), amount, total);
        if (left.anywhere() >= amount) {
            unleased.invalidate(counter);
            return;
        }
        unleased.put(counter, new UnleasedCounter(amount, total, new AtomicLong(left.here())));
        if (!left.isComplete()) {
            incomplete = true;
        }
    }

    /**
     * Returns whether too little is left, as far as this process knows. The changes that this unit of work itself makes
     * count, too.
     */
    public boolean isExhausted(String counter, long amount, long total) {
        if (amount > total) {
            return true;
        }
        if (logs.all().size() > 1) {
            UnleasedCounter there = unleased.getIfPresent(new CounterInLog(logs.current(), counter));
            // Less than the amount that has failed may be left.
            long wanted = takenHere(counter) + amount;
            return there != null
                    && total - wanted <= there.total() - there.amount()
                    && wanted > there.left().get();
        }
        AtomicLong taken = known.getIfPresent(counter);
        return taken != null && taken.get() + takenHere(counter) + amount > total;
    }

    private long takenHere(String counter) {
        return CurrentUnitOfWork.isStarted()
                ? appender.unit().counted().stream()
                        .filter(change -> change.counter().equals(counter))
                        .mapToLong(CounterChange::amount)
                        .sum()
                : 0;
    }

    /** Returns how much is taken, by PostgreSQL. A counter of which nothing was ever taken is not in the map. */
    public Map<String, Long> taken(Collection<String> counters) {
        return blocks.taken(List.copyOf(counters));
    }

    /**
     * Makes this process read again how much is taken, because something was given back. The events that give something
     * back come from all processes, so whoever handles them calls this.
     */
    public void recheck() {
        if (known.estimatedSize() + unleased.estimatedSize() > 0 && !outdated.getAndSet(true)) {
            reads.wake();
        }
    }

    private void readKnown() {
        if (incomplete && logs.all().stream().noneMatch(Log::isAway)) {
            incomplete = false;
            outdated.set(true);
        }
        if (outdated.getAndSet(false)) {
            try {
                Map<String, AtomicLong> counters = Map.copyOf(known.asMap());
                if (!counters.isEmpty()) {
                    Map<String, Long> taken = taken(counters.keySet());
                    counters.forEach((counter, count) -> count.set(taken.getOrDefault(counter, 0L)));
                }
                Map.copyOf(unleased.asMap())
                        .forEach((counter, wanted) -> lease(counter, wanted.amount(), wanted.total()));
            } catch (RuntimeException e) {
                outdated.set(true);
                throw e;
            }
            LockSupport.parkNanos(BETWEEN_READS.toNanos());
        }
    }

    @Override
    public void close() {
        reads.close();
    }
}
