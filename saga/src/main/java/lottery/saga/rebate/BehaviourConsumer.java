package lottery.saga.rebate;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Gatherers;
import lottery.api.rebate.BehaviourCommand.ReportBehaviour;
import lottery.messaging.CloudEventCodec;
import lottery.messaging.HandledOffsets;
import lottery.messaging.KafkaTopics;
import lottery.messaging.KeyedBatchProcessor;
import lottery.messaging.behaviour.BehaviourMessage;
import lottery.store.command.CommandFailedException;
import lottery.store.command.CommandSender;
import lottery.store.processing.FailureClassifier;
import lottery.store.trace.TraceId;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.GenericCommandMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.messaging.MetaData;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/**
 * Consumes behaviours that other systems report. The offset of a message is committed when its behaviour is stored. A
 * message that comes twice changes nothing, because a behaviour is stored once.
 */
@Component
final class BehaviourConsumer implements DisposableBean {

    private static final String GROUP = "lottery-behaviours";

    /**
     * The number of calls at the same time. They wait for a commit, which many calls share, and hold nothing while they
     * wait.
     */
    private static final int AT_ONCE_MAX = 64;

    /** The number of behaviours in one commit. Each one may keep the counts of its user locked until all are stored. */
    private static final int PER_COMMIT_MAX = 32;

    /**
     * The order of the commands is the same for all consumers, so that two consumers lock the same users in the same
     * order.
     */
    private static final Comparator<CommandMessage<ReportBehaviour>> BY_USER =
            Comparator.comparing(report -> report.getPayload().userId().value());

    private final CommandSender commands;
    private final EventStore events;
    private final KeyedBatchProcessor processor;

    BehaviourConsumer(CommandSender commands, EventStore events, FailureClassifier failureClassifier) {
        this.commands = commands;
        this.events = events;
        this.processor = new KeyedBatchProcessor("behaviour", AT_ONCE_MAX, failureClassifier);
    }

    @KafkaListener(
            topics = KafkaTopics.BEHAVIOURS,
            groupId = GROUP,
            batch = "true",
            containerPostProcessor = HandledOffsets.POST_PROCESSOR)
    void on(List<ConsumerRecord<String, byte[]>> messages) throws InterruptedException {
        processor.process(messages, this::take);
    }

    private void take(List<ConsumerRecord<String, byte[]>> messages) {
        List<CommandMessage<ReportBehaviour>> reports = messages.stream()
                .map(BehaviourConsumer::command)
                .sorted(BY_USER)
                .toList();
        if (reports.size() == 1) {
            report(reports.getFirst());
        } else {
            // If one of the behaviours is stored already, all of them are handled one by one.
            reports.stream().gather(Gatherers.windowFixed(PER_COMMIT_MAX)).forEach(commands::sendAll);
        }
    }

    private static CommandMessage<ReportBehaviour> command(ConsumerRecord<String, byte[]> message) {
        MetaData trace = CloudEventCodec.trace(message).map(TraceId::metaData).orElseGet(MetaData::emptyInstance);
        return new GenericCommandMessage<>(BehaviourMessage.read(message).command(), trace);
    }

    private void report(CommandMessage<ReportBehaviour> report) {
        try {
            commands.send(report);
        } catch (CommandFailedException failed) {
            if (!isStored(failed, report.getPayload())) {
                throw failed.causeOrSelf();
            }
        }
    }

    /**
     * Returns whether the behaviour was already stored, because the message has come twice or the behaviour was
     * reported over REST.
     */
    private boolean isStored(CommandFailedException failed, ReportBehaviour report) {
        return failed.kind() == CommandFailedException.FailureKind.EXISTS
                && events.readEvents(report.behaviourId().text()).hasNext();
    }

    @Override
    public void destroy() {
        processor.close();
    }
}
