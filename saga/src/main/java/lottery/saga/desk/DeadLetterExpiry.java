package lottery.saga.desk;

import java.time.Duration;
import lottery.store.clock.ClockAgreement;
import lottery.store.loop.BackgroundLoop;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Component;

/** Deletes old dead letters at intervals, because they may contain addresses of winners. */
@Component
final class DeadLetterExpiry implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterExpiry.class);

    private static final Duration KEPT = Duration.ofDays(90);

    private static final Duration BETWEEN = Duration.ofHours(1);

    private final DeadLetterTable messages;
    private final ClockAgreement agreement;

    DeadLetterExpiry(DeadLetterTable messages, ClockAgreement agreement) {
        this.messages = messages;
        this.agreement = agreement;
    }

    @Bean
    BackgroundLoop deadLetterExpiryLoop() {
        return new BackgroundLoop(
                "dead-letters",
                BETWEEN,
                this::run,
                "Old dead letters could not be deleted: {}. They stay for another hour.");
    }

    /** Deletes old dead letters now. */
    @Override
    public void run() {
        agreement.require();
        int deleted = messages.delete(KEPT);
        if (deleted > 0) {
            LOG.info("{} dead letters were deleted, because they were older than {} days.", deleted, KEPT.toDays());
        }
    }
}
