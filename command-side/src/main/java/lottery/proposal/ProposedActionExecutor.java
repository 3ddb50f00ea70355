package lottery.proposal;

import java.util.Objects;
import lottery.BannedUsers;
import lottery.api.Answer;
import lottery.api.Command;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.account.AccountCommand.CompensateAward;
import lottery.api.account.AccountId;
import lottery.api.award.AwardCommand.VoidAward;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.credit.CreditBookingResult;
import lottery.api.credit.CreditCommand.BookCredits;
import lottery.api.payment.PaymentCommand.NoteRefundByHand;
import lottery.api.payment.PaymentCommand.OrderRefund;
import lottery.api.payment.PaymentId;
import lottery.api.payment.Trade;
import lottery.api.person.PersonCommand.ErasePerson;
import lottery.api.proposal.Proposal;
import lottery.api.proposal.ProposedAction;
import lottery.api.rebate.BehaviourCommand.DropRebate;
import lottery.api.rebate.BehaviourProgress;
import lottery.api.rebate.RebateProgress;
import lottery.api.rebate.RebateRuleCommand.DefineRebateRule;
import lottery.api.rebate.RebateRuleId;
import lottery.api.strategy.Remedy;
import lottery.store.axon.EventStreams;
import lottery.store.command.CommandSender;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Carries proposed actions out, in the unit of work of the agreement. Each action is a command to another aggregate,
 * whose events are committed together with the agreement, or not at all.
 */
@Component
class ProposedActionExecutor {

    private final CommandSender commands;
    private final EventStore events;
    private final BannedUsers banned;

    ProposedActionExecutor(CommandSender commands, EventStore events, BannedUsers banned) {
        this.commands = commands;
        this.events = events;
        this.banned = banned;
    }

    /**
     * Returns anything if the action is carried out, and otherwise the refusal.
     *
     * @param version the version of the proposal. If another process has carried it out meanwhile, the refusal is not
     *     returned, and the agreement is decided again
     */
    Answer<?> execute(Proposal proposal, @Nullable Long version) {
        Answer<?> answer = execute(proposal);
        if (answer instanceof Answer.No) {
            EventStreams.requireLatest(events, proposal.proposalId().text(), version);
        }
        return answer;
    }

    private Answer<?> execute(Proposal proposal) {
        ProposedAction action = proposal.action();
        return switch (action.kind()) {
            case BOOK_CREDITS -> book(action.toBooking(proposal.reason()));
            case ADOPT_RULE -> send(adoption(action));
            case ERASE_PERSON ->
                send(new ErasePerson(
                        action.user(),
                        Objects.requireNonNull(action.keyId()),
                        proposal.proposedBy(),
                        reason(proposal)));
            case VOID_AWARD -> send(new VoidAward(AwardRecordId.of(action.subject()), reason(proposal)));
            case SUBSTITUTE_AWARD -> compensate(AwardRecordId.of(action.subject()), Remedy.SUBSTITUTE);
            case RETURN_CHANCE -> compensate(AwardRecordId.of(action.subject()), Remedy.RETURN_CHANCE);
            case REFUND_PAYMENT -> send(new OrderRefund(PaymentId.of(action.subject()), trade(action)));
            case NOTE_REFUND -> send(new NoteRefundByHand(PaymentId.of(action.subject()), trade(action)));
            case DROP_REBATE -> drop(DropRebate.of(action.subject()));
            // These are rows of tables, which are changed after the commit.
            case CHANGE_ACCOUNT, DROP_PARKED_EVENT, DROP_DEAD_LETTER -> Answer.done(action);
        };
    }

    /**
     * Books credits. A banned user spends none, but may get some, for example for an award that was won before.
     * Somebody may have booked the number alone in the meantime. Then the agreement books nothing, and is refused.
     */
    private Answer<CreditBookingResult> book(BookCredits booking) {
        if (booking.amount().signum() < 0) {
            banned.requireNotBanned(booking.userId());
        }
        return send(booking)
                .then(booked -> booked.isNew()
                        ? Answer.done(booked)
                        : Answer.no(new Refused(Refusal.KEY_REUSED, booking.businessNo())));
    }

    private static DefineRebateRule adoption(ProposedAction action) {
        String number = action.subject().substring(RebateRuleId.PREFIX.length());
        return new DefineRebateRule(RebateRuleId.of(number), Objects.requireNonNull(action.rule()), action.version());
    }

    /**
     * Compensates the award with a command to the account of its winner. If another remedy was carried out before, the
     * agreement is refused.
     */
    private Answer<AwardState> compensate(AwardRecordId award, Remedy remedy) {
        AwardWon won = EventStreams.select(events, award.text(), AwardWon.class)
                .findFirst()
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, award.text()));
        AccountId account = new AccountId(won.activityId(), won.userId());
        return send(new CompensateAward(account, award, remedy, true));
    }

    /** Gives a rebate up. If it was given in the meantime, the agreement is refused. */
    private Answer<BehaviourProgress> drop(DropRebate drop) {
        return send(drop)
                .then(behaviour -> behaviour
                        .find(drop.ruleId(), drop.index())
                        .filter(RebateProgress::isDropped)
                        .map(_ -> Answer.done(behaviour))
                        .orElseGet(() -> Answer.no(new Refused(
                                Refusal.PROPOSAL_STATE, drop.behaviourId().businessNo(drop.ruleId(), drop.index())))));
    }

    private static Trade trade(ProposedAction action) {
        return Trade.of(Objects.requireNonNull(action.keyId()));
    }

    private static String reason(Proposal proposal) {
        return Objects.requireNonNull(proposal.reason());
    }

    private <R> Answer<R> send(Command<R> command) {
        return commands.sendWithin(command);
    }
}
