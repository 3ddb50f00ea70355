package lottery.store.projection;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import lottery.store.log.Log;
import lottery.store.log.Logs;
import lottery.store.loop.BackgroundLoop;
import lottery.store.projection.ReadModelReplay.ReplayableReadModel;
import org.springframework.context.SmartLifecycle;
import org.springframework.util.function.SingletonSupplier;

/** Carries out replays of read models, each log by itself. */
public final class ReplayWorker implements SmartLifecycle {

    private static final Duration STOP_MAX = Duration.ofSeconds(15);

    private final SingletonSupplier<Map<String, ReplayableReadModel>> readModels;
    private final Map<Log, LogReplayWorker> workers;

    ReplayWorker(
            Logs logs,
            Supplier<Map<String, ReplayableReadModel>> readModels,
            BiFunction<Log, Supplier<Map<String, ReplayableReadModel>>, LogReplayWorker> worker) {
        this.readModels = SingletonSupplier.of(readModels);
        this.workers = logs.all().stream()
                .collect(Collectors.toMap(log -> log, log -> worker.apply(log, this.readModels::obtain)));
    }

    private List<BackgroundLoop> loops() {
        return workers.values().stream().map(LogReplayWorker::loop).toList();
    }

    /** Starts when all beans exist, because it looks for projections. */
    @Override
    public void start() {
        loops().forEach(BackgroundLoop::start);
    }

    @Override
    public boolean isRunning() {
        return loops().stream().anyMatch(BackgroundLoop::isRunning);
    }

    @Override
    public void stop() {
        BackgroundLoop.stopAll(loops(), STOP_MAX);
    }

    /** Returns the names of the read models that can be built beside the old ones. */
    public Set<String> replayable() {
        return readModels.obtain().keySet();
    }

    /** Requests a replay of a read model in all logs. Returns false if it is under way in all of them already. */
    public boolean begin(String processor) {
        ReplayableReadModel readModel = readModels.obtain().get(processor);
        if (readModel == null) {
            throw new IllegalArgumentException(processor + " has no read model that can be built beside the old one");
        }
        long begun = workers.entrySet().stream()
                .filter(worker -> worker.getKey().call(() -> worker.getValue().begin(readModel)))
                .count();
        return begun > 0;
    }
}
