package lottery.messaging.draw;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of an operator for the queue of draws.
 *
 * @param waitingMax how many requests of one activity can wait. Each process that accepts requests keeps all of them in
 *     memory, about 400 bytes each
 */
@ConfigurationProperties("lottery.queue")
record DrawQueueSettings(@DefaultValue("200000") int waitingMax) {

    DrawQueueSettings {
        if (waitingMax < 1) {
            throw new IllegalArgumentException("lottery.queue.waiting-max has to be at least 1");
        }
    }
}
