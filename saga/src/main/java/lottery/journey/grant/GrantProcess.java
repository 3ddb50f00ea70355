package lottery.journey.grant;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import lottery.api.Command;
import lottery.api.account.AccountCommand.CompensateAward;
import lottery.api.account.AccountId;
import lottery.api.award.Address;
import lottery.api.award.AwardCommand.ConfirmDispatch;
import lottery.api.award.AwardCommand.ForfeitAward;
import lottery.api.award.AwardCommand.LeaveToDesk;
import lottery.api.award.AwardEvent;
import lottery.api.award.AwardEvent.AwardClaimed;
import lottery.api.award.AwardEvent.AwardCompensated;
import lottery.api.award.AwardEvent.AwardDispatchFailed;
import lottery.api.award.AwardEvent.AwardDispatched;
import lottery.api.award.AwardEvent.AwardForfeited;
import lottery.api.award.AwardEvent.AwardGrantRejected;
import lottery.api.award.AwardEvent.AwardGranted;
import lottery.api.award.AwardEvent.AwardLeftToDesk;
import lottery.api.award.AwardEvent.AwardReleased;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.ClaimDays;
import lottery.api.strategy.GrantTime.Timing;
import lottery.api.strategy.Remedy;
import lottery.journey.command.SagaCommands;
import lottery.messaging.invoice.Invoice;
import org.jspecify.annotations.Nullable;

/**
 * The state of a won award on its way to its user: what it waits for. What happens ends a wait and begins the next one.
 *
 * @param invoice as it is sent next, or was sent last
 * @param sent how many invoices were sent
 * @param dueAt when the wait is over by itself; null: never
 * @param asked how often what is due was asked for in vain
 */
record GrantProcess(
        Invoice invoice,
        Step step,
        Remedy onFailure,
        int sent,
        @Nullable Instant dueAt,
        int asked,
        boolean addressed) {

    /** With these half an hour has gone by: what is wrong then needs a person. */
    static final int INVOICES_MAX = 5;

    /** Fulfilment answers within seconds, and its own attempts are over by then. Each further wait is twice as long. */
    private static final Duration ANSWER_WAIT = Duration.ofMinutes(1);

    /** A parcel takes its time. */
    private static final Duration ANSWER_WAIT_PHYSICAL = Duration.ofDays(3);

    /**
     * Enough for any fulfilment that has nothing to wait for, even where all have much to do. Only what is not answered
     * by then is dispatched, as its record says: to say so of all others would be an event for each, which is over when
     * it is read.
     */
    private static final Duration QUICK_ANSWER_WAIT = Duration.ofSeconds(5);

    enum Step {
        /** Waits for its time. */
        TIME,
        /** Waits for an operator to let it go. */
        RELEASE,
        /** Waits for an address. */
        CLAIM,
        /** Waits for a quick answer of fulfilment, after which nobody needs to know that it was dispatched. */
        QUICK_ANSWER,
        /** Waits for fulfilment, and the record is told that it was dispatched. */
        ANSWER,
        /** Nobody has claimed it, and the record is told so. */
        FORFEIT,
        /** Fulfilment has said no, and the record is told what is done about it. */
        REMEDY,
        /** Fulfilment has said no, and the record is left to a person. */
        GIVE_UP,
        /** Nobody has answered, and the record is left to a person. */
        ABANDON,
        /** A person decides. */
        DESK
    }

    static GrantProcess of(AwardWon won, Instant now) {
        GrantProcess begun = new GrantProcess(
                Invoice.of(won, 1), Step.TIME, won.onFailure(), 0, won.grant().at(), 0, false);
        if (won.grant().timing() == Timing.MANUAL) {
            return begun.in(Step.RELEASE, null);
        }
        Instant at = won.grant().at();
        return at != null && now.isBefore(at) ? begun : begun.itsTime(now);
    }

    /** Its time has come: it is sent, if it is known where to. */
    private GrantProcess itsTime(Instant now) {
        return invoice.type() == AwardType.PHYSICAL && !addressed
                ? in(Step.CLAIM, now.plus(Duration.ofDays(ClaimDays.of(invoice.content()))))
                : sent(now);
    }

    /** With one more invoice. */
    private GrantProcess sent(Instant now) {
        Invoice next = sent == 0 ? invoice : invoice.again();
        return new GrantProcess(
                next, Step.QUICK_ANSWER, onFailure, sent + 1, now.plus(quickAnswerWait()), 0, addressed);
    }

    private Duration quickAnswerWait() {
        return invoice.type() == AwardType.PHYSICAL ? Duration.ZERO : QUICK_ANSWER_WAIT;
    }

    /** As long as its number of invoices says, since the last of them was sent. */
    private GrantProcess awaitsAnswer() {
        Duration wait = invoice.type() == AwardType.PHYSICAL ? ANSWER_WAIT_PHYSICAL : ANSWER_WAIT;
        Instant sentAt = Objects.requireNonNull(dueAt).minus(quickAnswerWait());
        return in(Step.ANSWER, sentAt.plus(wait.multipliedBy(1L << (sent - 1))));
    }

    private GrantProcess in(Step next, @Nullable Instant due) {
        return new GrantProcess(invoice, next, onFailure, sent, due, 0, addressed);
    }

    /**
     * After an event.
     *
     * @param now when it is heard of
     */
    GrantProcess after(AwardEvent event, Instant now) {
        return switch (event) {
            case AwardWon _, AwardDispatched _ -> this;
            case AwardReleased _ -> step == Step.RELEASE ? itsTime(now) : this;
            case AwardClaimed claimed -> {
                GrantProcess addressed = to(claimed.address());
                yield step == Step.CLAIM || step == Step.FORFEIT ? addressed.sent(now) : addressed;
            }
            // It is tried again when the wait for an answer is over, as any other that was not answered.
            case AwardDispatchFailed _ -> step == Step.QUICK_ANSWER ? awaitsAnswer() : this;
            case AwardGrantRejected _ -> in(onFailure == Remedy.MANUAL ? Step.GIVE_UP : Step.REMEDY, now);
            case AwardLeftToDesk _ -> in(Step.DESK, null);
            case AwardGranted _, AwardCompensated _, AwardForfeited _ -> in(Step.DESK, null);
        };
    }

    private GrantProcess to(Address address) {
        return new GrantProcess(invoice.to(address), step, onFailure, sent, dueAt, asked, true);
    }

    /** After a wait that nothing has ended. */
    GrantProcess due(Instant now) {
        return switch (step) {
            case TIME -> itsTime(now);
            case CLAIM -> in(Step.FORFEIT, now).asked(now);
            case QUICK_ANSWER -> awaitsAnswer();
            case ANSWER ->
                sent < INVOICES_MAX ? sent(now) : in(Step.ABANDON, now).asked(now);
            case FORFEIT, REMEDY, GIVE_UP, ABANDON -> asked(now);
            case RELEASE, DESK -> this;
        };
    }

    private GrantProcess asked(Instant now) {
        return new GrantProcess(
                invoice, step, onFailure, sent, now.plus(SagaCommands.pauseAfter(asked)), asked + 1, addressed);
    }

    /** Whether an operator may have been told of it, and has to be told that it is over. */
    boolean needsPerson() {
        return switch (step) {
            case RELEASE, REMEDY, GIVE_UP, DESK -> true;
            case TIME, CLAIM, QUICK_ANSWER, ANSWER, FORFEIT, ABANDON -> false;
        };
    }

    /** What is asked for when this step begins or goes on; again and again, if the step lasts until it was done. */
    List<Command<?>> commands() {
        return switch (step) {
            case ANSWER -> List.of(new ConfirmDispatch(invoice.awardRecordId(), invoice.attempt()));
            case FORFEIT -> List.of(new ForfeitAward(invoice.awardRecordId()));
            case REMEDY ->
                List.of(new CompensateAward(
                        new AccountId(invoice.activityId(), invoice.userId()), invoice.awardRecordId(), onFailure));
            case GIVE_UP ->
                List.of(new LeaveToDesk(
                        invoice.awardRecordId(), "fulfilment has rejected it, and a person was to decide then"));
            case ABANDON ->
                List.of(new LeaveToDesk(invoice.awardRecordId(), "fulfilment has not answered " + sent + " invoices"));
            case TIME, RELEASE, CLAIM, QUICK_ANSWER, DESK -> List.of();
        };
    }
}
