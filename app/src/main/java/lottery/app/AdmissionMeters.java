package lottery.app;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import lottery.store.pace.AdmissionControl;

/**
 * Meters admission control: how much users may ask for a second while processors are behind, and how much was refused.
 */
final class AdmissionMeters implements MeterBinder {

    private final AdmissionControl pace;

    AdmissionMeters(AdmissionControl pace) {
        this.pace = pace;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("lottery.pace.limit", pace, AdmissionControl::limit).register(registry);
        FunctionCounter.builder("lottery.pace.refused", pace, AdmissionControl::refused)
                .register(registry);
    }
}
