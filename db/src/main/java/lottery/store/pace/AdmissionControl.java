package lottery.store.pace;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import lottery.store.log.Log;
import lottery.store.log.Logs;
import org.springframework.context.SmartLifecycle;

/**
 * Limits how fast units of work may begin, in each log by itself. A caller calls {@link #tryAdmit} before each unit. If
 * it would have to wait for too long, it is refused before any work is done.
 */
public final class AdmissionControl implements SmartLifecycle {

    private final Logs logs;
    private final List<LogAdmissionControl> controls;

    AdmissionControl(Logs logs, Function<Log, LogAdmissionControl> control) {
        this.logs = logs;
        this.controls = logs.all().stream().map(control).toList();
    }

    private LogAdmissionControl current() {
        return controls.get(logs.current().number());
    }

    /**
     * Waits for the caller's turn in the current log, in a cold process for up to 5 s even if less is given. A caller
     * that is refused also waits.
     *
     * @return false if the turn would have come too late, or after an interrupt
     */
    public boolean tryAdmit(Duration waitMax) {
        return current().tryAdmit(waitMax);
    }

    /**
     * Counts further units that were begun together with an admitted unit. Later units wait longer, by as many turns.
     */
    public void charge(int units) {
        current().charge(units);
    }

    /** Returns how many units may begin per second in the slowest log; infinite while there is no limit. */
    public double limit() {
        return controls.stream().mapToDouble(LogAdmissionControl::limit).min().orElseThrow();
    }

    /** Returns how many units were refused so far. */
    public long refused() {
        return controls.stream().mapToLong(LogAdmissionControl::refused).sum();
    }

    @Override
    public void start() {
        controls.forEach(LogAdmissionControl::start);
    }

    @Override
    public void stop() {
        controls.forEach(LogAdmissionControl::stop);
    }

    @Override
    public boolean isRunning() {
        return controls.stream().anyMatch(LogAdmissionControl::isRunning);
    }

    /** Starts before the web server accepts the first request, and stops after the last one. */
    @Override
    public int getPhase() {
        return 0;
    }
}
