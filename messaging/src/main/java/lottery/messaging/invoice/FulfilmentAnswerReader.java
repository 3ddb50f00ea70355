package lottery.messaging.invoice;

import java.util.Map;
import java.util.Objects;
import lottery.api.award.AwardCommand;
import lottery.messaging.CloudEventCodec;
import lottery.messaging.UnreadableMessageException;
import lottery.store.trace.TraceId;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.GenericCommandMessage;
import org.axonframework.messaging.MetaData;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.stereotype.Component;

/**
 * Converts fulfilment's answers to commands. If senders are configured, an answer needs the signature of one of them,
 * and the actor of its command is that sender. Otherwise every system that may write to the topic may answer.
 */
@Component
@EnableConfigurationProperties(FulfilmentSystemSettings.class)
public final class FulfilmentAnswerReader {

    private static final Logger LOG = LoggerFactory.getLogger(FulfilmentAnswerReader.class);

    private static final String ID = "id";
    private static final String SENDER = "sender";
    private static final String SIGNATURE = "signature";

    private final Map<String, FulfilmentSystemCredentials> senders;

    FulfilmentAnswerReader(FulfilmentSystemSettings settings) {
        this.senders = settings.answerSenders();
        if (senders.isEmpty()) {
            LOG.info("Answers to invoices need no signature, because lottery.fulfilment.senders is not set.");
        }
    }

    /**
     * Returns the command of an answer. The command has the message's trace id, and the answer's sender as the actor.
     *
     * @throws UnreadableMessageException for any fault of the message, and if a required signature is missing or wrong
     */
    public CommandMessage<AwardCommand> read(ConsumerRecord<String, byte[]> message) {
        MetaData trace = CloudEventCodec.trace(message).map(TraceId::metaData).orElseGet(MetaData::emptyInstance);
        if (senders.isEmpty()) {
            return new GenericCommandMessage<>(answerIn(message).command(), trace);
        }
        // The signature is checked first, before any of the content is read.
        FulfilmentSystemCredentials sender = senderOf(message);
        FulfilmentAnswer answer = answerIn(message);
        if (!answer.awardRecordId().text().equals(message.key())) {
            throw new UnreadableMessageException("the key is not the award record of the content");
        }
        return new GenericCommandMessage<>(
                answer.command(), trace.mergedWith(sender.actor().ofCommand()));
    }

    private static FulfilmentAnswer answerIn(ConsumerRecord<String, byte[]> message) {
        return CloudEventCodec.decode(message, FulfilmentAnswer.MESSAGE_TYPE, FulfilmentAnswer.class);
    }

    private FulfilmentSystemCredentials senderOf(ConsumerRecord<String, byte[]> message) {
        String name = CloudEventCodec.attribute(message, SENDER);
        @Nullable FulfilmentSystemCredentials sender = senders.get(name);
        if (sender == null) {
            throw new UnreadableMessageException("ce_sender %s is not a configured sender".formatted(name));
        }
        String signature = CloudEventCodec.attribute(message, SIGNATURE);
        String id = CloudEventCodec.attribute(message, ID);
        if (id.indexOf('\n') >= 0) {
            throw new UnreadableMessageException("ce_id has a line end");
        }
        byte @Nullable [] content = message.value();
        if (content == null) {
            throw new UnreadableMessageException("there is no content");
        }
        if (!sender.hasSigned(id, Objects.requireNonNullElse(message.key(), ""), content, signature)) {
            throw new UnreadableMessageException(
                    "ce_signature is not valid for the sender %s and this message".formatted(name));
        }
        return sender;
    }
}
