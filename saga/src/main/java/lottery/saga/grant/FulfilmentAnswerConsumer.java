package lottery.saga.grant;

import java.util.Comparator;
import java.util.List;
import lottery.api.award.AwardCommand;
import lottery.messaging.KafkaTopics;
import lottery.messaging.KeyedBatchProcessor;
import lottery.messaging.invoice.AwardResultCommandSender;
import lottery.messaging.invoice.FulfilmentAnswerReader;
import lottery.store.processing.FailureClassifier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.axonframework.commandhandling.CommandMessage;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/**
 * Consumes fulfilment's answers, and sends them to the award records. The offset of an answer is committed when its
 * command has succeeded. An answer that comes twice changes nothing, because a record keeps the first answer.
 */
@Component
final class FulfilmentAnswerConsumer implements DisposableBean {

    private static final String GROUP = "lottery-answers";

    /**
     * The number of calls at the same time if answers are handled one by one. They wait for a commit, which many calls
     * share, and hold nothing while they wait.
     */
    private static final int AT_ONCE_MAX = 64;

    /**
     * The order of the commands is the same for all consumers, so that two consumers lock the same records in the same
     * order.
     */
    private static final Comparator<CommandMessage<AwardCommand>> BY_RECORD =
            Comparator.comparing(answer -> answer.getPayload().awardRecordId().text());

    private final FulfilmentAnswerReader reader;
    private final AwardResultCommandSender resultSender;
    private final KeyedBatchProcessor processor;

    FulfilmentAnswerConsumer(
            FulfilmentAnswerReader reader, AwardResultCommandSender resultSender, FailureClassifier failureClassifier) {
        this.reader = reader;
        this.resultSender = resultSender;
        this.processor = new KeyedBatchProcessor("answer", AT_ONCE_MAX, failureClassifier);
    }

    @KafkaListener(topics = KafkaTopics.FULFILMENT, groupId = GROUP, batch = "true")
    void on(List<ConsumerRecord<String, byte[]>> messages) throws InterruptedException {
        processor.process(messages, this::take);
    }

    private void take(List<ConsumerRecord<String, byte[]>> messages) {
        resultSender.report(
                messages.stream().map(reader::read).sorted(BY_RECORD).toList());
    }

    @Override
    public void destroy() {
        processor.close();
    }
}
