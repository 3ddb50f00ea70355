package lottery.app;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import lottery.store.pace.AdmissionControl;
import lottery.store.pace.CallerBlocklist;

/**
 * Meters admission control: how much users may ask for a second while processors are behind, how much was refused, and
 * how many players are blocked.
 */
final class AdmissionMeters implements MeterBinder {

    private final AdmissionControl pace;
    private final CallerBlocklist blocked;

    AdmissionMeters(AdmissionControl pace, CallerBlocklist blocked) {
        this.pace = pace;
        this.blocked = blocked;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Gauge.builder("lottery.pace.limit", pace, AdmissionControl::limit).register(registry);
        FunctionCounter.builder("lottery.pace.refused", pace, AdmissionControl::refused)
                .register(registry);
        Gauge.builder("lottery.players.blocked", blocked, known -> known.all().size())
                .description("Players whom the limiter blocks now, on all nodes")
                .register(registry);
    }
}
