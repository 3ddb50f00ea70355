package lottery.store.projection;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import lottery.store.log.HistoryReader;
import lottery.store.processing.FailureClassifier;
import lottery.store.projection.ReadModelReplay.ReplayableReadModel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionOperations;
import org.springframework.util.function.SingletonSupplier;

/**
 * Carries out replays of read models. Any process may request a replay, and one process at a time carries it out. A
 * process also takes over a replay that another process has left unfinished.
 */
public final class ReplayWorker implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(ReplayWorker.class);

    /** How often this process looks for a replay that no process carries out. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private static final Duration STOP_MAX = Duration.ofSeconds(15);

    private final SingletonSupplier<Map<String, ReplayableReadModel>> readModels;
    private final HistoryReader history;
    private final JdbcClient database;
    private final TransactionOperations transactions;
    private final ReplayTable table;
    private final FailureClassifier failureClassifier;
    private final Semaphore asked = new Semaphore(0);
    private final ThreadFactory readers =
            Thread.ofVirtual().name("replay-reader-", 0).factory();

    private volatile @Nullable WorkerRun running;

    ReplayWorker(
            Supplier<Map<String, ReplayableReadModel>> readModels,
            HistoryReader history,
            JdbcClient database,
            TransactionOperations transactions,
            FailureClassifier failureClassifier) {
        this.readModels = SingletonSupplier.of(readModels);
        this.history = history;
        this.database = database;
        this.transactions = transactions;
        this.table = new ReplayTable(database);
        this.failureClassifier = failureClassifier;
    }

    /** Starts when all beans exist, because it looks for projections. */
    @Override
    public synchronized void start() {
        if (running == null) {
            WorkerRun begun = new WorkerRun();
            running = begun;
            Thread.ofVirtual().name("replays").start(begun::work);
        }
    }

    @Override
    public boolean isRunning() {
        return running != null;
    }

    /** Returns the processors whose read models can be built beside the old ones. */
    public Set<String> replayable() {
        return readModels.obtain().keySet();
    }

    /** Requests a replay of a read model. Returns false if a replay of it is already under way. */
    public boolean begin(String processor) {
        ReplayableReadModel readModel = readModels.obtain().get(processor);
        if (readModel == null) {
            throw new IllegalArgumentException(processor + " has no read model that can be built beside the old one");
        }
        boolean begun = Boolean.TRUE.equals(transactions.execute(transaction -> {
            if (!table.begin(processor)) {
                return false;
            }
            readModel.tables().forEach(each -> each.create(database));
            return true;
        }));
        if (begun) {
            log.info("A replay of the read model {} was requested. It begins within seconds.", processor);
            asked.release();
        }
        return begun;
    }

    /** One run of this worker, from a start to the next stop. */
    private final class WorkerRun {

        private final CountDownLatch stopping = new CountDownLatch(1);
        private final CountDownLatch ended = new CountDownLatch(1);
        private final ExecutorService reading = Executors.newThreadPerTaskExecutor(readers);

        private void work() {
            try {
                while (stopping.getCount() > 0) {
                    var _ = asked.tryAcquire(LOOK.toMillis(), TimeUnit.MILLISECONDS);
                    carryOutRequested();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                ended.countDown();
            }
        }

        private void carryOutRequested() throws InterruptedException {
            try {
                for (String processor : table.waiting()) {
                    ReplayableReadModel readModel = readModels.obtain().get(processor);
                    if (readModel != null && stopping.getCount() > 0) {
                        take(readModel);
                    }
                }
            } catch (RuntimeException away) {
                log.warn(
                        "Requested replays could not be read: {}. They wait; this process tries again each second.",
                        away.toString());
            }
        }

        private void take(ReplayableReadModel readModel) throws InterruptedException {
            String processor = readModel.processor();
            try {
                Long position = table.claim(processor).orElse(null);
                if (position != null) {
                    carryOut(readModel, position);
                }
            } catch (ReplayTable.ReplayLostException e) {
                log.info("This process stops its replay of the read model {}: {}.", processor, e.getMessage());
            } catch (RuntimeException | Error e) {
                log.warn(
                        "The replay of the read model {} was interrupted: {}. It goes on when the outage is over.",
                        processor,
                        e.toString());
            }
        }

        private void carryOut(ReplayableReadModel readModel, long position) throws InterruptedException {
            String processor = readModel.processor();
            log.info(
                    "The read model {} is being built anew, from position {} on. Until the end the old one answers.",
                    processor,
                    position);
            try (var _ = new ReplayLeaseKeeper(processor, table)) {
                new ReadModelReplay(readModel, history, database, transactions, table, stopping).run(position, reading);
                if (stopping.getCount() > 0) {
                    log.info("The read model {} was built anew. It now answers.", processor);
                } else {
                    table.release(processor);
                }
            } catch (ReplayTable.ReplayLostException e) {
                throw e;
            } catch (RuntimeException | Error e) {
                if (isOutage(e)) {
                    table.release(processor);
                    throw e;
                }
                log.error(
                        "The read model {} could not be built anew, and the old one still answers."
                                + " Repair the cause, then request the replay again.",
                        processor,
                        e);
                table.fail(processor, e);
            }
        }

        private void stop() {
            stopping.countDown();
            asked.release();
            try {
                if (!ended.await(STOP_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
                    log.info("A replay did not stop within {} s. Another process continues it.", STOP_MAX.toSeconds());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                reading.shutdownNow();
            }
        }
    }

    private boolean isOutage(Throwable failure) {
        return failureClassifier.isOutage(failure);
    }

    @Override
    public synchronized void stop() {
        WorkerRun ending = running;
        running = null;
        if (ending != null) {
            ending.stop();
        }
    }
}
