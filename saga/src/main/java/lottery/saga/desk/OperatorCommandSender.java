package lottery.saga.desk;

import java.util.Optional;
import lottery.api.Answer;
import lottery.api.Command;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.account.AccountCommand.CompensateAward;
import lottery.api.account.AccountId;
import lottery.api.award.AwardCommand.ReleaseAward;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.rebate.BehaviourId;
import lottery.api.rebate.BehaviourProgress;
import lottery.api.strategy.Remedy;
import lottery.store.axon.EventStreams;
import lottery.store.command.CommandFailedException;
import lottery.store.command.CommandSender;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.springframework.stereotype.Component;

/** Sends an operator's decisions to aggregates, which decide; a repeated command changes nothing. */
@Component
final class OperatorCommandSender {

    private final CommandSender commands;
    private final EventStore events;

    OperatorCommandSender(CommandSender commands, EventStore events) {
        this.commands = commands;
        this.events = events;
    }

    Answer<AwardState> release(AwardRecordId id) {
        return send(new ReleaseAward(id));
    }

    /** Compensates an award with a command to the winner's account, which the record's first event names. */
    Answer<AwardState> remedy(AwardRecordId id, Remedy by) {
        return EventStreams.select(events, id.text(), AwardWon.class)
                .findFirst()
                .map(won -> send(new CompensateAward(new AccountId(won.activityId(), won.userId()), id, by)))
                .orElseGet(() -> Answer.no(new Refused(Refusal.NOT_FOUND, id.text())));
    }

    /** Returns a behaviour of a user, with the states of its rebates. */
    Optional<BehaviourProgress> find(BehaviourId id) {
        return EventStreams.fold(events, id.text(), BehaviourProgress::evolve);
    }

    <R> Answer<R> send(Command<R> command) {
        try {
            return commands.send(command);
        } catch (CommandFailedException failed) {
            return switch (failed.kind()) {
                case NOT_FOUND -> refused(Refusal.NOT_FOUND, command);
                case BUSY, EXISTS, UNKNOWN -> refused(Refusal.BUSY, command);
                case OTHER -> {
                    if (failed.reason() instanceof RefusedException refused) {
                        yield Answer.no(refused.refused());
                    }
                    throw failed.causeOrSelf();
                }
            };
        }
    }

    private static <R> Answer<R> refused(Refusal why, Command<R> command) {
        return Answer.no(new Refused(why, command.target().text()));
    }
}
