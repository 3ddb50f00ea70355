package lottery.award;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import lottery.api.Answer;
import lottery.api.UserId;
import lottery.api.award.AwardCommand.ConfirmDispatch;
import lottery.api.award.AwardCommand.GrantAward;
import lottery.api.award.AwardCommand.RejectGrant;
import lottery.api.award.AwardEvent;
import lottery.api.award.AwardEvent.AwardDispatched;
import lottery.api.award.AwardEvent.AwardGrantRejected;
import lottery.api.award.AwardEvent.AwardGranted;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardState;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/**
 * A won award. Each message about it may come twice, late, or before the one that should have come first: what is no
 * news any more changes nothing, and the first answer of fulfilment is the one that counts.
 */
@Aggregate(type = "award", commandTargetResolver = "commandTargets", lockFactory = "aggregateLocks")
public class AwardRecord {

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    private @Nullable UserId userId;
    private AwardState state = AwardState.WON;

    AwardRecord() {}

    public AwardRecord(AwardWon won) {
        apply(won);
    }

    @CommandHandler
    Answer<AwardState> handle(ConfirmDispatch confirm) {
        if (state == AwardState.WON) {
            apply(new AwardDispatched(confirm.awardRecordId(), userId()));
        }
        return Answer.done(state);
    }

    @CommandHandler
    Answer<AwardState> handle(GrantAward grant) {
        if (isUnanswered()) {
            apply(new AwardGranted(grant.awardRecordId(), userId(), grant.reference()));
        }
        return Answer.done(state);
    }

    @CommandHandler
    Answer<AwardState> handle(RejectGrant reject) {
        if (isUnanswered()) {
            apply(new AwardGrantRejected(reject.awardRecordId(), userId(), reject.reference(), reject.reason()));
        }
        return Answer.done(state);
    }

    /** An answer may overtake the note that the invoice was sent. */
    private boolean isUnanswered() {
        return switch (state) {
            case WON, DISPATCHED -> true;
            case GRANTED, REJECTED -> false;
        };
    }

    @EventSourcingHandler
    void on(AwardEvent event) {
        state = switch (event) {
            case AwardWon won -> {
                id = won.awardRecordId().text();
                userId = won.userId();
                yield AwardState.WON;
            }
            case AwardDispatched _ -> AwardState.DISPATCHED;
            case AwardGranted _ -> AwardState.GRANTED;
            case AwardGrantRejected _ -> AwardState.REJECTED;
        };
    }

    private UserId userId() {
        if (userId == null) {
            throw new IllegalStateException("an award record begins with a win");
        }
        return userId;
    }
}
