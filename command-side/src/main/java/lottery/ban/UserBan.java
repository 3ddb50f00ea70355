package lottery.ban;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.StorableTimeRange;
import lottery.api.SubmissionFlaw;
import lottery.api.ban.BanCommand.BanUser;
import lottery.api.ban.BanCommand.LiftBan;
import lottery.api.ban.BanEvent;
import lottery.api.ban.BanEvent.UserBanLifted;
import lottery.api.ban.BanEvent.UserBanned;
import lottery.api.ban.BanId;
import lottery.api.ban.BanResult;
import lottery.store.vault.PersonalTexts;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.CreationPolicy;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/**
 * The aggregate that decides whether one user is banned. It is created by the first ban, so a user who was never banned
 * has no such aggregate.
 */
@Aggregate(type = "ban", commandTargetResolver = "commandTargets", lockFactory = "aggregateLocks")
class UserBan {

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    /** The newest ban; null if it was lifted. */
    private @Nullable UserBanned ban;

    UserBan() {}

    /** Throws a refusal, because there may be no ban yet and a refusal must not create one. */
    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.CREATE_IF_MISSING)
    Answer<BanResult> handle(BanUser command, PersonalTexts texts, InstantSource clock) {
        Instant until = command.until();
        if (until != null && !StorableTimeRange.isInRange(until)) {
            throw flawed(command, SubmissionFlaw.FlawKind.TIME_OUT_OF_RANGE);
        }
        if (until != null && !clock.instant().isBefore(until)) {
            throw flawed(command, SubmissionFlaw.FlawKind.BAN_ENDS_IN_THE_PAST);
        }
        if (isSame(command, texts)) {
            return Answer.done(new BanResult(false));
        }
        String sealed = texts.seal(command.userId().value(), command.target().text(), command.reason());
        apply(new UserBanned(command.userId(), until, sealed));
        return Answer.done(new BanResult(true));
    }

    private boolean isSame(BanUser command, PersonalTexts texts) {
        return ban != null
                && Objects.equals(command.until(), ban.until())
                && ban.reasonBy(texts::open).filter(command.reason()::equals).isPresent();
    }

    private static RefusedException flawed(BanUser command, SubmissionFlaw.FlawKind flaw) {
        SubmissionFlaw finding = new SubmissionFlaw("/until", flaw);
        return new RefusedException(
                new Refused(Refusal.INVALID, command.target().text(), List.of(finding)));
    }

    /** Changes nothing if the ban was lifted before, or has ended by itself. */
    @CommandHandler
    Answer<BanResult> handle(LiftBan command, InstantSource clock) {
        if (ban == null || !ban.holdsAt(clock.instant())) {
            return Answer.done(new BanResult(false));
        }
        apply(new UserBanLifted(command.userId()));
        return Answer.done(new BanResult(true));
    }

    @EventSourcingHandler
    void on(BanEvent event) {
        id = new BanId(event.userId()).text();
        ban = switch (event) {
            case UserBanned banned -> banned;
            case UserBanLifted _ -> null;
        };
    }
}
