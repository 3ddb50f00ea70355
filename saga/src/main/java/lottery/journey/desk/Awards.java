package lottery.journey.desk;

import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import lottery.api.Answer;
import lottery.api.Command;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.account.AccountCommand.CompensateAward;
import lottery.api.account.AccountId;
import lottery.api.award.AwardCommand.ReleaseAward;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.strategy.Remedy;
import lottery.store.log.ClaimTaken;
import lottery.store.log.OutcomeUnknown;
import lottery.store.log.StoreBusy;
import org.axonframework.commandhandling.gateway.CommandGateway;
import org.axonframework.common.lock.LockAcquisitionFailedException;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.modelling.command.AggregateNotFoundException;
import org.axonframework.modelling.command.ConcurrencyException;
import org.springframework.stereotype.Component;

/** What an operator may ask of an award record. The record decides; what it is asked twice changes nothing twice. */
@Component
final class Awards {

    private static final long ANSWER_WAIT_MAX_SECONDS = 5;

    private final CommandGateway commands;
    private final EventStore events;

    Awards(CommandGateway commands, EventStore events) {
        this.commands = commands;
        this.events = events;
    }

    Answer<AwardState> release(AwardRecordId id) {
        return send(new ReleaseAward(id));
    }

    /** Making good is a command of the account that has won, which the record's first event knows. */
    Answer<AwardState> remedy(AwardRecordId id, Remedy by) {
        return events.readEvents(id.text())
                .asStream()
                .limit(1)
                .map(first -> first.getPayload() instanceof AwardWon won
                        ? send(new CompensateAward(new AccountId(won.activityId(), won.userId()), id, by))
                        : Answer.<AwardState>no(new Refused(Refusal.NOT_FOUND, id.text())))
                .findFirst()
                .orElseGet(() -> Answer.no(new Refused(Refusal.NOT_FOUND, id.text())));
    }

    private Answer<AwardState> send(Command<AwardState> command) {
        try {
            return commands.<Answer<AwardState>>send(command).get(ANSWER_WAIT_MAX_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            return refused(Refusal.BUSY, command);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return refused(Refusal.BUSY, command);
        } catch (ExecutionException e) {
            return refusalIn(Objects.requireNonNullElse(e.getCause(), e), command);
        }
    }

    private static Answer<AwardState> refusalIn(Throwable failure, Command<AwardState> command) {
        return switch (failure) {
            case AggregateNotFoundException _ -> refused(Refusal.NOT_FOUND, command);
            case ConcurrencyException _ -> refused(Refusal.BUSY, command);
            case LockAcquisitionFailedException _ -> refused(Refusal.BUSY, command);
            case ClaimTaken _ -> refused(Refusal.BUSY, command);
            case StoreBusy _ -> refused(Refusal.BUSY, command);
            case OutcomeUnknown _ -> refused(Refusal.BUSY, command);
            case RuntimeException bug -> throw bug;
            default ->
                throw new IllegalStateException(
                        "a command failed for " + command.target().text(), failure);
        };
    }

    private static Answer<AwardState> refused(Refusal why, Command<AwardState> command) {
        return Answer.no(new Refused(why, command.target().text()));
    }
}
