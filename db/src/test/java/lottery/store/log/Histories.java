package lottery.store.log;

import java.util.UUID;
import lottery.store.log.LogDivergenceGuard.LogEntry;

/** Histories for tests of other packages. */
public final class Histories {

    private Histories() {}

    /** Returns the history of a process that knows an event which no log has. It does not end that process. */
    public static LogDivergenceGuard ofAnotherLog() {
        LogDivergenceGuard divergenceGuard = new LogDivergenceGuard(() -> {});
        divergenceGuard.reached(LogEntry.NONE, new LogEntry(1, UUID.randomUUID()));
        return divergenceGuard;
    }
}
