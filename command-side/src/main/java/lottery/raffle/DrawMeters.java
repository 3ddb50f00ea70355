package lottery.raffle;

import io.micrometer.core.instrument.MeterRegistry;
import lottery.api.account.AccountId;
import lottery.api.raffle.DrawRequestResult;
import org.springframework.stereotype.Component;

/** Counts draws for the metrics. */
@Component
public class DrawMeters {

    private final MeterRegistry meters;

    DrawMeters(MeterRegistry meters) {
        this.meters = meters;
    }

    public void add(AccountId account, DrawRequestResult draws) {
        String activity = Long.toString(account.activityId().value());
        draws.draws()
                .forEach(drawn -> meters.counter(
                                "lottery.draws",
                                "activity",
                                activity,
                                "outcome",
                                drawn.outcome().name())
                        .increment());
    }
}
