package lottery.app;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import lottery.store.pace.AdmissionControl;

/**
 * Publishes metrics of admission control: how many units of work may begin per second while processors are behind, and
 * how many units of work were refused.
 */
final class AdmissionMeters implements MeterBinder {

    private final AdmissionControl admission;

    AdmissionMeters(AdmissionControl admission) {
        this.admission = admission;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("lottery.pace.limit", admission, AdmissionControl::limit).register(registry);
        FunctionCounter.builder("lottery.pace.refused", admission, AdmissionControl::refused)
                .register(registry);
    }
}
