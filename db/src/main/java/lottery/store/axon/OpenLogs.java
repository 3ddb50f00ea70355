package lottery.store.axon;

import java.util.List;
import java.util.function.Function;
import lottery.store.log.Log;
import lottery.store.log.Logs;

/** All logs, as this process has them open. */
public final class OpenLogs implements AutoCloseable {

    private final Logs logs;
    private final List<OpenLog> all;

    OpenLogs(Logs logs, Function<Log, OpenLog> open) {
        this.logs = logs;
        this.all = logs.all().stream().map(open).toList();
    }

    void start() {
        all.forEach(OpenLog::start);
    }

    /** Returns all logs, in the order of their numbers. */
    public List<OpenLog> all() {
        return all;
    }

    public OpenLog home() {
        return all.getFirst();
    }

    /** Returns the log in which this thread works. */
    public OpenLog current() {
        return of(logs.current());
    }

    /** Returns the log of an aggregate. */
    public OpenLog of(String aggregateId) {
        return of(logs.of(aggregateId));
    }

    OpenLog of(Log log) {
        return all.get(log.number());
    }

    @Override
    public void close() {
        all.forEach(OpenLog::close);
    }
}
