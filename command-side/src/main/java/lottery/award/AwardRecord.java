package lottery.award;

import static org.axonframework.modelling.command.AggregateLifecycle.apply;

import java.math.BigDecimal;
import java.time.InstantSource;
import lottery.api.Answer;
import lottery.api.Command;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.activity.StockId;
import lottery.api.award.AwardCommand.ClaimAward;
import lottery.api.award.AwardCommand.ConfirmDispatch;
import lottery.api.award.AwardCommand.EraseAddress;
import lottery.api.award.AwardCommand.FailDispatch;
import lottery.api.award.AwardCommand.ForfeitAward;
import lottery.api.award.AwardCommand.GrantAward;
import lottery.api.award.AwardCommand.GrantCode;
import lottery.api.award.AwardCommand.GrantCredits;
import lottery.api.award.AwardCommand.LeaveToDesk;
import lottery.api.award.AwardCommand.RecordPoolWin;
import lottery.api.award.AwardCommand.RejectGrant;
import lottery.api.award.AwardCommand.ReleaseAward;
import lottery.api.award.AwardCommand.VoidAward;
import lottery.api.award.AwardEvent;
import lottery.api.award.AwardEvent.AwardAddressErased;
import lottery.api.award.AwardEvent.AwardClaimed;
import lottery.api.award.AwardEvent.AwardCompensated;
import lottery.api.award.AwardEvent.AwardDispatchFailed;
import lottery.api.award.AwardEvent.AwardDispatched;
import lottery.api.award.AwardEvent.AwardForfeited;
import lottery.api.award.AwardEvent.AwardGrantRejected;
import lottery.api.award.AwardEvent.AwardGranted;
import lottery.api.award.AwardEvent.AwardLeftToDesk;
import lottery.api.award.AwardEvent.AwardReleased;
import lottery.api.award.AwardEvent.AwardVoided;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardProgress;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.award.BudgetShare;
import lottery.api.award.CodePoolId;
import lottery.api.credit.CreditAmount;
import lottery.api.credit.CreditCommand.BookCredits;
import lottery.api.entitlement.ContentId;
import lottery.api.strategy.AwardType;
import lottery.credit.CreditBooker;
import lottery.entitlement.EntitlementGranter;
import lottery.stock.ActivityBudgetStock;
import lottery.stock.StockUnitSource;
import lottery.store.axon.NamedNumberSeries;
import lottery.store.trace.Actor;
import lottery.store.vault.PersonalTexts;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventsourcing.EventSourcingHandler;
import org.axonframework.modelling.command.AggregateCreationPolicy;
import org.axonframework.modelling.command.AggregateIdentifier;
import org.axonframework.modelling.command.CommandHandlerInterceptor;
import org.axonframework.modelling.command.CreationPolicy;
import org.axonframework.spring.stereotype.Aggregate;
import org.jspecify.annotations.Nullable;

/**
 * A won award. Each message about it may come twice, late or out of order. A message without news changes nothing, and
 * only the first answer of fulfilment counts.
 */
@Aggregate(
        type = "award",
        cache = "awardCache",
        commandTargetResolver = "commandTargets",
        lockFactory = "aggregateLocks")
public class AwardRecord {

    @AggregateIdentifier
    @SuppressWarnings("unused") // Axon reads it.
    private @Nullable String id;

    private @Nullable AwardProgress progress;

    AwardRecord() {}

    public AwardRecord(AwardWon won) {
        apply(won);
    }

    /** Hides the award from a caller who has no access to the winner's awards, or to awards of this type. */
    @CommandHandlerInterceptor
    void requireAccess(Command<?> command) {
        boolean isOpen = command instanceof RecordPoolWin
                || (Actor.mayAccessDataOf(won().userId().value())
                        && Actor.mayAccessKind(won().award().type().name()));
        if (!isOpen) {
            throw new RefusedException(Refusal.NOT_FOUND, command.target().text());
        }
    }

    @CommandHandler
    @CreationPolicy(AggregateCreationPolicy.CREATE_IF_MISSING)
    Answer<AwardState> handle(RecordPoolWin win, StockUnitSource stock) {
        if (progress == null) {
            stock.takeOrFail(
                    StockId.ofAward(win.won().activityId(), win.won().award().awardId()), win.stock());
            apply(win.won());
        } else if (won().award().awardId() != win.won().award().awardId()) {
            // A reserve has just won the award of another vacancy, which the pool has not noted yet.
            throw new IllegalStateException(id + " is the record of another win");
        }
        return Answer.done(state());
    }

    @CommandHandler
    Answer<AwardState> handle(ReleaseAward release) {
        return progress()
                .release()
                .then(news -> after(news, new AwardReleased(release.awardRecordId(), won().userId())));
    }

    @CommandHandler
    Answer<AwardState> handle(ClaimAward claim, PersonalTexts texts) {
        return progress()
                .claim(claim.address(), texts::open)
                .then(news -> news ? claimed(claim, texts) : Answer.done(state()));
    }

    private Answer<AwardState> claimed(ClaimAward claim, PersonalTexts texts) {
        AwardRecordId recordId = claim.awardRecordId();
        UserId winner = won().userId();
        noteLostAddress(recordId, texts);
        String sealed =
                texts.seal(winner.value(), recordId.text(), claim.address().text());
        return after(true, new AwardClaimed(recordId, winner, sealed));
    }

    @CommandHandler
    Answer<AwardState> handle(EraseAddress erased, PersonalTexts texts) {
        noteLostAddress(erased.awardRecordId(), texts);
        return Answer.done(state());
    }

    private void noteLostAddress(AwardRecordId recordId, PersonalTexts texts) {
        if (progress().hasLostAddress(texts::open)) {
            apply(new AwardAddressErased(recordId, won().userId()));
        }
    }

    @CommandHandler
    Answer<AwardState> handle(ForfeitAward forfeit, StockUnitSource stock) {
        if (progress().isUnclaimed()) {
            giveBack(stock);
            apply(new AwardForfeited(forfeit.awardRecordId(), won().userId(), won().activityId()));
        }
        return Answer.done(state());
    }

    /** Takes the award from its winner, after two persons have agreed on it. */
    @CommandHandler
    Answer<AwardState> handle(VoidAward taken, StockUnitSource stock, InstantSource clock) {
        if (state() == AwardState.VOIDED) {
            return Answer.done(state());
        }
        if (!progress().canBeVoided(clock.instant())) {
            return Answer.no(notNow());
        }
        giveBack(stock);
        apply(new AwardVoided(taken.awardRecordId(), won().userId(), won().activityId(), taken.reason()));
        return Answer.done(state());
    }

    @CommandHandler
    Answer<AwardState> handle(ConfirmDispatch confirm) {
        return after(progress().isNews(confirm), new AwardDispatched(confirm.awardRecordId(), won().userId()));
    }

    @CommandHandler
    Answer<AwardState> handle(FailDispatch fail) {
        return after(
                progress().isNews(fail),
                new AwardDispatchFailed(fail.awardRecordId(), won().userId(), fail.attempt(), fail.reason()));
    }

    /** Grants the award. The content of an ENTITLEMENT is granted in the same commit. */
    @CommandHandler
    Answer<AwardState> handle(GrantAward given, EntitlementGranter entitlements, InstantSource clock) {
        return answered(clock).then(state -> {
            if (state.isAwaited() && won().award().type() == AwardType.ENTITLEMENT) {
                ContentId.ofAward(won().config())
                        .ifPresent(content -> entitlements.grant(
                                won().userId(), content, given.awardRecordId().text()));
            }
            return after(state.isAwaited(), new AwardGranted(given.awardRecordId(), won().userId(), given.reference()));
        });
    }

    /**
     * Books the credits and grants the award. The booking has the id of this record, so there is at most one booking.
     */
    @CommandHandler
    Answer<AwardState> handle(GrantCredits grant, CreditBooker creditBooker, InstantSource clock) {
        return answered(clock)
                .then(state -> isWorth(grant.credits()) ? Answer.done(state) : Answer.no(notWorth(grant.credits())))
                .then(state -> state.isAwaited()
                        ? creditBooker.book(bookingOf(grant)).then(booked -> granted(booked.reference(won().userId())))
                        : Answer.done(state));
    }

    /**
     * Returns whether the award is worth this number of credits. Without this check, a sender of invoices could book
     * any amount.
     */
    private boolean isWorth(BigDecimal credits) {
        return won().award().type() == AwardType.CREDIT
                && CreditAmount.ofAward(won().award().amount(), won().config())
                        .filter(CreditAmount.plain(credits)::equals)
                        .isPresent();
    }

    private Refused notWorth(BigDecimal credits) {
        return new Refused(Refusal.AWARD_STATE, "%s is not worth %s credits".formatted(id, credits.toPlainString()));
    }

    private BookCredits bookingOf(GrantCredits grant) {
        return new BookCredits(
                won().userId(),
                grant.credits(),
                grant.awardRecordId().text(),
                won().award().title());
    }

    private Answer<AwardState> granted(String reference) {
        return after(true, new AwardGranted(won().awardRecordId(), won().userId(), reference));
    }

    /** Takes the next code. An award on the desk gets one, too, if its pool was filled meanwhile. */
    @CommandHandler
    Answer<AwardState> handle(GrantCode grant, NamedNumberSeries series, InstantSource clock) {
        return answered(clock)
                .then(state -> isOf(grant.pool()) ? Answer.done(state) : Answer.no(notNow()))
                .then(state -> state.isAwaited() ? codeOrNone(grant, series) : Answer.done(state));
    }

    private boolean isOf(CodePoolId pool) {
        return won().award().type() == AwardType.CODE
                && pool.equals(new CodePoolId(won().activityId(), won().award().awardId()));
    }

    private Answer<AwardState> codeOrNone(GrantCode grant, NamedNumberSeries series) {
        AwardRecordId recordId = grant.awardRecordId();
        String reference = GrantCode.reference(recordId);
        return series.takeIfLeft(grant.pool().text(), recordId.text())
                ? granted(reference)
                : after(
                        progress().canBeRejected(),
                        new AwardGrantRejected(recordId, won().userId(), reference, "no code was left"));
    }

    @CommandHandler
    Answer<AwardState> handle(RejectGrant reject, InstantSource clock) {
        return answered(clock)
                .then(_ -> after(
                        progress().canBeRejected(),
                        new AwardGrantRejected(
                                reject.awardRecordId(), won().userId(), reject.reference(), reject.reason())));
    }

    @CommandHandler
    Answer<AwardState> handle(LeaveToDesk leave) {
        return after(
                progress().canBeLeft(), new AwardLeftToDesk(leave.awardRecordId(), won().userId(), leave.reason()));
    }

    /**
     * Returns the state, or a refusal if the award is held back. No invoice can have been sent for such an award, so an
     * answer to an invoice must be wrong.
     */
    private Answer<AwardState> answered(InstantSource clock) {
        return progress().isHeldBack(clock.instant()) ? Answer.no(notNow()) : Answer.done(state());
    }

    private Refused notNow() {
        return new Refused(Refusal.AWARD_STATE, id + " (" + state() + ")");
    }

    private Answer<AwardState> after(boolean isNews, AwardEvent event) {
        if (isNews) {
            apply(event);
        }
        return Answer.done(state());
    }

    /** Returns the win if the award can be compensated now. */
    public Answer<AwardWon> forRemedy() {
        return progress().canBeCompensated() ? Answer.done(won()) : Answer.no(notNow());
    }

    /**
     * Records the compensation, and gives the unit and the cost back, in the same unit of work.
     *
     * @param substituteShare what the substitute costs, which is not given back; null if it costs nothing
     */
    public AwardState compensate(
            AwardCompensated compensated, @Nullable BudgetShare substituteShare, StockUnitSource stock) {
        giveBack(stock, substituteShare);
        apply(compensated);
        return state();
    }

    /** Leaves the award to the desk, because its compensation is impossible. */
    public AwardState leave(String reason) {
        apply(new AwardLeftToDesk(won().awardRecordId(), won().userId(), reason));
        return state();
    }

    private void giveBack(StockUnitSource stock) {
        giveBack(stock, null);
    }

    private void giveBack(StockUnitSource stock, @Nullable BudgetShare kept) {
        if (won().unitTaken()) {
            stock.giveBack(StockId.ofAward(won().activityId(), won().award().awardId()));
        }
        BudgetShare share = won().budgetShare();
        if (share != null) {
            ActivityBudgetStock.giveBack(
                    stock, won().activityId(), share, kept == null ? BigDecimal.ZERO : kept.amount());
        }
    }

    @EventSourcingHandler
    void on(AwardEvent event) {
        id = event.awardRecordId().text();
        progress = AwardProgress.after(progress, event);
    }

    public AwardState state() {
        return progress().state();
    }

    private AwardWon won() {
        return progress().won();
    }

    private AwardProgress progress() {
        if (progress == null) {
            throw new IllegalStateException("an award record begins with a win");
        }
        return progress;
    }
}
