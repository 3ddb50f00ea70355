package lottery.signin;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import java.util.Optional;
import lottery.api.Answer;
import lottery.api.rebate.RebateRuleDefinition;
import lottery.api.signin.SignInCommand.SignIn;
import lottery.api.signin.SignInEvent;
import lottery.api.signin.SignInEvent.UserSignedIn;
import lottery.api.signin.SignInResult;
import lottery.api.signin.SignInsId;
import lottery.rebate.BehaviourRebateDecider;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.CreationPolicy;
import org.axonframework.serialization.Revision;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/**
 * One user's sign-ins. A user signs in once a day, and the behaviour of the sign-in is stored in the same commit. One
 * event stream has all months, so that two sign-ins around the end of a month cannot both begin a new streak.
 */
@Aggregate(
        type = "sign-in",
        snapshotTriggerDefinition = "userSnapshots",
        commandTargetResolver = "commandTargets",
        lockFactory = "aggregateLocks")
// The revision of its snapshots: snapshots of another revision are not used.
@Revision("1")
class SignIns {

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    private SignInProgress days = SignInProgress.NONE;

    SignIns() {}

    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.CREATE_IF_MISSING)
    Answer<SignInResult> handle(SignIn command, BehaviourRebateDecider reports) {
        Optional<SignInResult> known = days.known(command.day());
        if (known.isPresent()) {
            return Answer.done(known.get());
        }
        UserSignedIn signed = days.sign(command.userId(), command.day());
        reports.create(
                signed.userId(),
                RebateRuleDefinition.SIGN,
                SignInProgress.businessNo(signed.day()),
                signed.day(),
                signed.streak());
        apply(signed);
        return Answer.done(
                new SignInResult(signed.day(), signed.streak(), signed.daysThisMonth(), signed.behaviourId(), true));
    }

    @EventSourcingHandler
    void on(SignInEvent event) {
        id = new SignInsId(event.userId()).text();
        days = days.after(event);
    }
}
