package lottery.journey.fulfilment;

import java.util.List;
import lottery.api.Answer;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.award.AwardCommand;
import lottery.api.award.AwardState;
import lottery.journey.errand.Convoy;
import lottery.journey.letter.Envelope;
import lottery.journey.letter.Hands;
import lottery.journey.letter.SideBySide;
import lottery.journey.letter.Topics;
import lottery.journey.letter.Unreadable;
import lottery.store.command.CommandFailed;
import lottery.store.command.CommandSender;
import lottery.store.trace.TraceId;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.GenericCommandMessage;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.messaging.MetaData;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.stereotype.Component;

/**
 * Takes fulfilment's answers to the award records. An answer counts as read when its command has succeeded; it may come
 * twice, because a record keeps the first answer.
 */
@Component
final class FulfilmentAnswers implements DisposableBean {

    private static final String GROUP = "lottery-answers";

    /**
     * Of those that are taken one by one. They wait for a commit, which serves many at once, and hold nothing
     * meanwhile.
     */
    private static final int AT_ONCE_MAX = 64;

    private final CommandGateway commands;
    private final CommandSender sender;
    private final SideBySide sideBySide;
    private final Hands hands = new Hands("answer", AT_ONCE_MAX);

    FulfilmentAnswers(CommandGateway commands, CommandSender sender, SideBySide sideBySide) {
        this.commands = commands;
        this.sender = sender;
        this.sideBySide = sideBySide;
    }

    @KafkaListener(topics = Topics.FULFILMENT, groupId = GROUP, batch = "true")
    void on(List<ConsumerRecord<String, byte[]>> letters) throws InterruptedException {
        sideBySide.handle(
                letters,
                this::takeTogether,
                letter -> hands.begin(letter, Envelope.trace(letter).orElse(null), this::take));
    }

    /** Says whether all were taken. If not, those that were may be taken again: the first answer counts. */
    private boolean takeTogether(List<ConsumerRecord<String, byte[]>> letters) {
        List<CommandMessage<AwardCommand>> answers =
                letters.stream().map(FulfilmentAnswers::message).toList();
        return Convoy.send(answers, commands).stream().allMatch(Answer.Done.class::isInstance);
    }

    private static CommandMessage<AwardCommand> message(ConsumerRecord<String, byte[]> letter) {
        return new GenericCommandMessage<>(
                open(letter), Envelope.trace(letter).map(TraceId::metaData).orElseGet(MetaData::emptyInstance));
    }

    private static AwardCommand open(ConsumerRecord<String, byte[]> letter) {
        return Envelope.open(letter, Fulfilment.LETTER_TYPE, Fulfilment.class).command();
    }

    private void take(ConsumerRecord<String, byte[]> letter) {
        AwardCommand command = open(letter);
        Answer<AwardState> answer;
        try {
            answer = sender.send(command);
        } catch (CommandFailed failed) {
            if (failed.kind() == CommandFailed.Kind.NOT_FOUND) {
                throw none(command.target().text());
            }
            throw new AnswerNotTaken(command.target().text(), failed);
        }
        if (answer instanceof Answer.No<AwardState> no) {
            fail(no.refused());
        }
    }

    @Override
    public void destroy() {
        hands.close();
    }

    /** A win comes before its invoice: who answers about a record that is not there will not be right later. */
    private static Unreadable none(String subject) {
        return new Unreadable("there is no " + subject);
    }

    private static void fail(Refused refused) {
        throw switch (refused.why()) {
            case NOT_FOUND -> none(refused.subject());
            case AWARD_STATE -> new Unreadable("nobody was asked for " + refused.subject());
            default -> new AnswerNotTaken(refused.subject(), new RefusedException(refused));
        };
    }

    /** Fails the letter, so that it is tried again. */
    private static final class AnswerNotTaken extends RuntimeException {

        AnswerNotTaken(String subject, Throwable cause) {
            super("no answer is taken for " + subject + " now: " + cause, cause);
        }
    }
}
