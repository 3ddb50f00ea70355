package lottery.messaging.draw;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings for the queue of draws, which operators set.
 *
 * @param waitingMax how many requests of one activity can wait
 * @param waitingMaxAll how many requests of all activities together can wait. Each process that accepts requests keeps
 *     all of them in memory, with about 400 bytes each
 */
@ConfigurationProperties("lottery.queue")
record DrawQueueSettings(
        @DefaultValue("200000") int waitingMax,
        @DefaultValue("500000") int waitingMaxAll) {

    DrawQueueSettings {
        if (waitingMax < 1 || waitingMaxAll < 1) {
            throw new IllegalArgumentException(
                    "lottery.queue.waiting-max and lottery.queue.waiting-max-all have to be at least 1");
        }
    }
}
