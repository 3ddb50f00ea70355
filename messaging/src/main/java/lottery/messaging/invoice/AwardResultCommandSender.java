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
import lottery.messaging.UnreadableMessageException;
import lottery.store.command.CommandFailedException;
import lottery.store.command.CommandSender;
import lottery.store.trace.Actor;
import org.axonframework.commandhandling.CommandMessage;
import org.springframework.stereotype.Component;

/**
 * Reports the results of invoices to the award records. A result may be reported again, because a record keeps the
 * first answer and returns its state.
 */
@Component
public final class AwardResultCommandSender {

    /** The most answers in one commit. Each answer locks its aggregate until all are stored. */
    private static final int PER_COMMIT_MAX = 32;

    private final CommandSender sender;

    AwardResultCommandSender(CommandSender sender) {
        this.sender = sender;
    }

    /**
     * Reports many results in few commits, in the given order. All callers have to use the same order for the same
     * records. If one commit fails, the other commits remain.
     *
     * @return the awards that are now granted
     * @throws UnreadableMessageException if a record will never accept its answer
     * @throws RuntimeException if a record cannot accept its answer now
     */
    public Set<AwardRecordId> report(List<? extends CommandMessage<? extends AwardCommand>> answers) {
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
        } catch (CommandFailedException failed) {
            String subject = answer.getPayload().awardRecordId().text();
            if (failed.reason() instanceof RefusedException refused) {
                // In this way an award record refuses a sender that may not answer for it.
                throw failure(refused.refused(), answer);
            }
            throw failed.kind() == CommandFailedException.FailureKind.NOT_FOUND
                    ? none(subject, answer)
                    : new ResultNotReportedException(subject, failed);
        }
    }

    private static AwardState stateIn(Answer<AwardState> state, CommandMessage<? extends AwardCommand> answer) {
        return switch (state) {
            case Answer.Done<AwardState> done -> done.value();
            case Answer.No<AwardState> no -> throw failure(no.refused(), answer);
        };
    }

    /**
     * Describes an unknown record. A win is stored before its invoice is sent, so a missing record will never exist.
     * For an answer with an actor, the text names the award types for which that actor may answer, because records of
     * other types count as unknown.
     */
    private static UnreadableMessageException none(String subject, CommandMessage<? extends AwardCommand> answer) {
        return new UnreadableMessageException("there is no " + subject
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
            case AWARD_STATE ->
                new UnreadableMessageException("the award record refuses this message: " + refused.subject());
            // Another booking has the number of this award, so this is not the invoice that was sent for the award.
            case KEY_REUSED -> new UnreadableMessageException("%s for %s".formatted(refused.why(), refused.subject()));
            default -> new ResultNotReportedException(refused.subject(), new RefusedException(refused));
        };
    }

    /** The result cannot be reported now. The report is tried again later. */
    private static final class ResultNotReportedException extends RuntimeException {

        ResultNotReportedException(String subject, Throwable cause) {
            super(subject + " cannot be told now what became of its invoice: " + cause, cause);
        }
    }
}
