package lottery.app;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import lottery.store.pace.AdmissionControl;
import lottery.store.pace.CallerBlocklist;

/**
 * Publishes metrics of admission control: how many units of work may begin per second while processors are behind, how
 * many units of work were refused, and how many players are blocked.
 */
final class AdmissionMeters implements MeterBinder {

    private final AdmissionControl admission;
    private final CallerBlocklist blocked;

    AdmissionMeters(AdmissionControl admission, CallerBlocklist blocked) {
        this.admission = admission;
        this.blocked = blocked;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("lottery.pace.limit", admission, AdmissionControl::limit).register(registry);
        FunctionCounter.builder("lottery.pace.refused", admission, AdmissionControl::refused)
                .register(registry);
        Gauge.builder("lottery.players.blocked", blocked, known -> known.all().size())
                .description("Players whom the limiter blocks now, on all nodes")
                .register(registry);
    }
}
