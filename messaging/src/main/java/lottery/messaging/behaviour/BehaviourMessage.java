package lottery.messaging.behaviour;

import java.util.Objects;
import lottery.api.UserId;
import lottery.api.rebate.BehaviourCommand;
import lottery.api.rebate.BehaviourCommand.ReportBehaviour;
import lottery.messaging.CloudEventCodec;
import lottery.messaging.StorableText;
import lottery.messaging.UnreadableMessageException;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A message in which another system reports what a user has done.
 *
 * @param behaviour the name of the behaviour, such as {@code pay}
 * @param outBusinessNo the other system's own number. For a user, each pair of behaviour and number takes effect once
 */
public record BehaviourMessage(UserId userId, String behaviour, String outBusinessNo) {

    public static final String MESSAGE_TYPE = "lottery.behaviour.v1";

    public BehaviourMessage {
        Objects.requireNonNull(userId, "userId");
        Objects.requireNonNull(behaviour, "behaviour");
        Objects.requireNonNull(outBusinessNo, "outBusinessNo");
        if (!behaviour.matches(BehaviourCommand.REPORTED)) {
            throw new IllegalArgumentException("a behaviour is a name such as share, and no sign-in");
        }
        if (outBusinessNo.isBlank()
                || outBusinessNo.length() > BehaviourCommand.BUSINESS_NO_LENGTH_MAX
                || !StorableText.isStorable(outBusinessNo)) {
            throw new IllegalArgumentException("a business number has 1 to " + BehaviourCommand.BUSINESS_NO_LENGTH_MAX
                    + " characters, no control characters and no unpaired surrogates");
        }
    }

    /**
     * Reads a message. Its key has to be its user, so that messages of one user are handled in order.
     *
     * @throws UnreadableMessageException for any fault of the message
     */
    public static BehaviourMessage read(ConsumerRecord<String, byte[]> message) {
        BehaviourMessage reported = CloudEventCodec.decode(message, MESSAGE_TYPE, BehaviourMessage.class);
        if (!reported.userId.value().equals(message.key())) {
            throw new UnreadableMessageException("the key is not the user of the content");
        }
        return reported;
    }

    public ReportBehaviour command() {
        return new ReportBehaviour(userId, behaviour, outBusinessNo);
    }
}
