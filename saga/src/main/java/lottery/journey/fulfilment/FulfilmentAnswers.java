package lottery.journey.fulfilment;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.award.AwardCommand;
import lottery.api.award.AwardState;
import lottery.journey.errand.Convoy;
import lottery.journey.letter.Envelope;
import lottery.journey.letter.Hands;
import lottery.journey.letter.SideBySide;
import lottery.journey.letter.Topics;
import lottery.journey.letter.Unreadable;
import lottery.store.trace.TraceId;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.axonframework.commandhandling.CommandMessage;
import org.axonframework.commandhandling.GenericCommandMessage;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.messaging.MetaData;
import org.axonframework.modelling.command.AggregateNotFoundException;
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

    private static final long WAIT_MAX_SECONDS = 5;

    /**
     * Of those that are taken one by one. They wait for a commit, which serves many at once, and hold nothing
     * meanwhile.
     */
    private static final int AT_ONCE_MAX = 64;

    private final CommandGateway commands;
    private final SideBySide sideBySide;
    private final Hands hands = new Hands("answer", AT_ONCE_MAX);

    FulfilmentAnswers(CommandGateway commands, SideBySide sideBySide) {
        this.commands = commands;
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

    private void take(ConsumerRecord<String, byte[]> letter) throws InterruptedException {
        switch (send(open(letter))) {
            case Answer.Done<AwardState> ignored -> {}
            case Answer.No<AwardState> no -> fail(no.refused());
        }
    }

    private Answer<AwardState> send(AwardCommand command) throws InterruptedException {
        try {
            return commands.<Answer<AwardState>>send(command).get(WAIT_MAX_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
            if (cause instanceof AggregateNotFoundException) {
                return Answer.no(new Refused(Refusal.NOT_FOUND, command.target().text()));
            }
            throw new AnswerNotTaken(command, cause);
        } catch (TimeoutException e) {
            throw new AnswerNotTaken(command, e);
        }
    }

    @Override
    public void destroy() {
        hands.close();
    }

    /** A win comes before its invoice: who answers about a record that is not there will not be right later. */
    private static void fail(Refused refused) {
        if (refused.why() == Refusal.NOT_FOUND) {
            throw new Unreadable("there is no " + refused.subject());
        }
        if (refused.why() == Refusal.AWARD_STATE) {
            throw new Unreadable("nobody was asked for " + refused.subject());
        }
        throw new AnswerNotTaken(refused);
    }

    /** Fails the letter, so that it is tried again. */
    private static final class AnswerNotTaken extends RuntimeException {

        AnswerNotTaken(AwardCommand command, Throwable cause) {
            super("no answer is taken for " + command.target().text() + " now: " + cause, cause);
        }

        AnswerNotTaken(Refused refused) {
            super("no answer is taken for " + refused.subject() + " now: " + refused.why());
        }
    }
}
