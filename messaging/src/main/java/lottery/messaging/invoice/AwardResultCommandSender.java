package lottery.messaging.invoice;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Gatherers;
import lottery.api.Answer;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.award.AwardCommand;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.messaging.UnreadableMessage;
import lottery.store.command.CommandSender;
import lottery.store.command.CommandUnanswered;
import lottery.store.trace.Actor;
import org.axonframework.commandhandling.CommandMessage;
import org.springframework.stereotype.Component;

/**
 * Reports the results of invoices to the award records. A result may be reported again: a record keeps the first
 * answer, and returns its state.
 */
@Component
public final class AwardResultCommandSender {

    /** The number of answers in one commit. Each holds its aggregates until all are stored. */
    private static final int PER_COMMIT_MAX = 32;

    private final CommandSender sender;

    AwardResultCommandSender(CommandSender sender) {
        this.sender = sender;
    }

    /**
     * Reports many results in few commits, in this order. All callers have to use the same order for the same records.
     * If one commit fails, the others stay.
     *
     * @return the awards that are granted now
     * @throws UnreadableMessage if a record will never take its answer
     * @throws RuntimeException if a record cannot take its answer now
     */
    public Set<AwardRecordId> tell(List<? extends CommandMessage<? extends AwardCommand>> answers) {
        Set<AwardRecordId> granted = new HashSet<>();
        answers.stream().gather(Gatherers.windowFixed(PER_COMMIT_MAX)).forEach(together -> {
            List<Answer<AwardState>> states = send(together);
            for (int i = 0; i < together.size(); i++) {
                CommandMessage<? extends AwardCommand> answer = together.get(i);
                if (stateIn(states.get(i), answer) == AwardState.GRANTED) {
                    granted.add(answer.getPayload().awardRecordId());
                }
            }
        });
        return granted;
    }

    private List<Answer<AwardState>> send(List<? extends CommandMessage<? extends AwardCommand>> together) {
        if (together.size() > 1) {
            return sender.sendAll(together);
        }
        CommandMessage<? extends AwardCommand> answer = together.getFirst();
        try {
            return List.of(sender.<Answer<AwardState>>send(answer));
        } catch (CommandUnanswered failed) {
            String subject = answer.getPayload().awardRecordId().text();
            if (failed.reason() instanceof RefusedException refused) {
                // An award record refuses in this way somebody who may not answer for it.
                throw failure(refused.refused(), answer);
            }
            throw failed.kind() == CommandUnanswered.Kind.NOT_FOUND
                    ? none(subject, answer)
                    : new NotTold(subject, failed);
        }
    }

    private static AwardState stateIn(Answer<AwardState> state, CommandMessage<? extends AwardCommand> answer) {
        return switch (state) {
            case Answer.Done<AwardState> done -> done.value();
            case Answer.No<AwardState> no -> throw failure(no.refused(), answer);
        };
    }

    /**
     * Describes an unknown record. A win comes before its invoice, so that a record that is missing stays missing. An
     * answer for somebody names the types for which he may answer, since a record of another type is unknown to him.
     */
    private static UnreadableMessage none(String subject, CommandMessage<? extends AwardCommand> answer) {
        return new UnreadableMessage("there is no " + subject
                + Actor.in(answer)
                        .map(actor -> ", or not of the types of %s: %s"
                                .formatted(
                                        actor.name(),
                                        String.join(
                                                ", ",
                                                new TreeSet<>(actor.scope().kinds()))))
                        .orElse(""));
    }

    private static RuntimeException failure(Refused refused, CommandMessage<? extends AwardCommand> answer) {
        return switch (refused.why()) {
            case NOT_FOUND -> none(refused.subject(), answer);
            case AWARD_STATE -> new UnreadableMessage("nobody was asked for " + refused.subject());
            // Another booking has this award's number: this is not the invoice that was sent for it.
            case KEY_REUSED -> new UnreadableMessage("%s for %s".formatted(refused.why(), refused.subject()));
            default -> new NotTold(refused.subject(), new RefusedException(refused));
        };
    }

    /** The result cannot be reported now; it is tried again. */
    private static final class NotTold extends RuntimeException {

        NotTold(String subject, Throwable cause) {
            super(subject + " cannot be told now what became of its invoice: " + cause, cause);
        }
    }
}
