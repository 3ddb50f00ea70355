package lottery.store.projection;

import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import lottery.store.axon.HistoryReader;
import lottery.store.log.Log;
import lottery.store.loop.BackgroundLoop;
import lottery.store.processing.FailureClassifier;
import lottery.store.projection.ReadModelReplay.ReplayableReadModel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Carries out the replays of read models in one log. Any process may request a replay, and one process at a time
 * carries it out. A process also takes over a replay that another process has left unfinished. A read model that is new
 * in a shared processor is built without a request.
 */
final class LogReplayWorker {

    private static final Logger log = LoggerFactory.getLogger(LogReplayWorker.class);

    /** How often this process looks for a replay that no process carries out. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    /** The pause between two renewals of a claim. A range may take longer than a claim lasts. */
    private static final Duration RENEWAL = ReplayTable.CLAIM_MAX.dividedBy(4);

    private final Log place;
    private final Supplier<Map<String, ReplayableReadModel>> readModels;
    private final HistoryReader history;
    private final JdbcClient database;
    private final TransactionOperations transactions;
    private final ReplayTable table;
    private final FailureClassifier failureClassifier;
    private final BackgroundLoop loop;

    LogReplayWorker(
            Log place,
            Supplier<Map<String, ReplayableReadModel>> readModels,
            HistoryReader history,
            JdbcClient database,
            TransactionOperations transactions,
            FailureClassifier failureClassifier) {
        this.place = place;
        this.readModels = readModels;
        this.history = history;
        this.database = database;
        this.transactions = transactions;
        this.table = new ReplayTable(database);
        this.failureClassifier = failureClassifier;
        this.loop = new BackgroundLoop(
                "replays",
                LOOK,
                place.bind(this::carryOutRequested),
                "Requested replays could not be read: {}. They wait.");
    }

    BackgroundLoop loop() {
        return loop;
    }

    /** Requests a replay of a read model. Returns false if a replay of it is already under way. */
    boolean begin(ReplayableReadModel readModel) {
        String processor = readModel.name();
        boolean begun = Boolean.TRUE.equals(transactions.execute(transaction -> {
            if (!table.begin(processor)) {
                return false;
            }
            readModel.tables().forEach(each -> each.create(database));
            return true;
        }));
        if (begun) {
            log.info("A replay of the read model {} was requested. It begins within seconds.", processor);
            loop.wake();
        }
        return begun;
    }

    private void carryOutRequested() throws InterruptedException {
        table.newcomers().stream()
                .flatMap(newcomer -> Stream.ofNullable(readModels.get().get(newcomer)))
                .forEach(this::begin);
        for (String processor : table.waiting()) {
            ReplayableReadModel readModel = readModels.get().get(processor);
            if (readModel != null && !loop.isStopping()) {
                take(readModel);
            }
        }
    }

    private void take(ReplayableReadModel readModel) throws InterruptedException {
        String processor = readModel.name();
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
        String processor = readModel.name();
        log.info(
                "The read model {} is being built anew, from position {} on. Until the end the old one answers.",
                processor,
                position);
        try (BackgroundLoop renewals = renewalsOf(processor)) {
            renewals.start();
            new ReadModelReplay(place, readModel, history, database, transactions, table, loop).run(position);
            if (loop.isStopping()) {
                table.release(processor);
            } else {
                log.info("The read model {} was built anew. It now answers.", processor);
            }
        } catch (ReplayTable.ReplayLostException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            if (failureClassifier.isOutage(e)) {
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

    /** Returns a loop that keeps other processes from beginning the same range again. */
    private BackgroundLoop renewalsOf(String processor) {
        return new BackgroundLoop(
                "replay-claim",
                RENEWAL,
                () -> table.keep(processor),
                "The claim on the replay of " + processor + " could not be renewed: {}. Another process may take it.");
    }
}
