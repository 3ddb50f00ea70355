package lottery.store.processing;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import lottery.store.axon.OpenLog;
import lottery.store.axon.OpenLogs;
import lottery.store.log.Log;
import lottery.store.token.TokenPositions;

/** Lets callers wait until processing groups have handled everything up to a position of the current log. */
public final class ProcessorPositionAwaiter {

    private final OpenLogs logs;
    private final List<LogPositionAwaiter> awaiters;

    ProcessorPositionAwaiter(OpenLogs logs) {
        this.logs = logs;
        this.awaiters = logs.all().stream()
                .map(log -> new LogPositionAwaiter(log, new TokenPositions(log.log())))
                .toList();
    }

    /** The result of waiting. */
    public enum Arrival {
        /** Everything up to the position was handled. */
        REACHED,
        /** The position was not reached in time. */
        LATE,
        /** Too many callers wait already. */
        TOO_MANY_WAITING,
        /** The log has no such position. */
        NEVER
    }

    LogPositionAwaiter of(OpenLog log) {
        return awaiters.get(log.log().number());
    }

    private LogPositionAwaiter current() {
        return of(logs.current());
    }

    /** Returns the names of all processing groups of this process. */
    public Set<String> groups() {
        return current().groups();
    }

    /** Returns the position of a processor of this process; empty if another process has it. */
    public OptionalLong here(String processor) {
        return current().here(processor);
    }

    /**
     * Returns whether a processing group has passed the position, in whichever process it runs. Its parked events still
     * wait. While the group has nothing to handle, this is known a few seconds late.
     */
    public boolean hasPassed(String group, long position) {
        return current().hasPassed(group, position);
    }

    /** Waits until all of these processors have handled everything up to the position. */
    public Arrival await(Collection<String> processors, long position, Duration max) throws InterruptedException {
        return current().await(processors, position, max);
    }

    /** Waits until all of these processors have handled everything up to the position of a log. */
    public Arrival await(Log log, Collection<String> processors, long position, Duration max)
            throws InterruptedException {
        return awaiters.get(log.number()).await(processors, position, max);
    }
}
