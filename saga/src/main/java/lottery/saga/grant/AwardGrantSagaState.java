package lottery.saga.grant;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import lottery.api.Command;
import lottery.api.account.AccountCommand.CompensateAward;
import lottery.api.account.AccountId;
import lottery.api.award.AwardCommand.ConfirmDispatch;
import lottery.api.award.AwardCommand.EraseAddress;
import lottery.api.award.AwardCommand.ForfeitAward;
import lottery.api.award.AwardCommand.LeaveToDesk;
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
import lottery.api.person.PersonalTextOpener;
import lottery.api.strategy.ClaimDays;
import lottery.api.strategy.GrantTime.Timing;
import lottery.api.strategy.Remedy;
import lottery.messaging.invoice.Invoice;
import lottery.saga.command.SagaCommands;
import org.jspecify.annotations.Nullable;

/**
 * The state of a grant saga: the step that a won award waits for. An event ends a wait and begins the next one.
 *
 * @param invoice the invoice that is sent next, or was sent last
 * @param sent how many invoices were sent
 * @param dueAt when the wait ends by itself; null if it never does
 * @param asked how often the command that is due was sent without effect
 * @param addressed whether the winner has given an address
 * @param sealedAddress the address of the winner; null if there is none
 */
record AwardGrantSagaState(
        Invoice invoice,
        AwardGrantStep step,
        Remedy onFailure,
        int sent,
        @Nullable Instant dueAt,
        int asked,
        boolean addressed,
        @Nullable String sealedAddress) {

    /**
     * The most invoices that the saga sends for one award. If none is answered, the waits for all of them take half an
     * hour together, or 93 days for a parcel. After that an operator has to decide.
     */
    static final int INVOICES_MAX = 5;

    /**
     * How long the saga waits for an answer to the first invoice. Fulfilment normally answers within seconds, retries
     * included. The wait after each further invoice is twice as long.
     */
    private static final Duration ANSWER_WAIT = Duration.ofMinutes(1);

    /** How long the saga waits for an answer to the first invoice if the award is a parcel. */
    private static final Duration ANSWER_WAIT_PARCEL = Duration.ofDays(3);

    /**
     * How long the saga waits for a quick answer. Fulfilment that needs no other system answers within this time, even
     * under load. Only an award without an answer by then is recorded as dispatched. For other awards, the event of the
     * dispatch would be out of date before anyone reads it.
     */
    private static final Duration QUICK_ANSWER_WAIT = Duration.ofSeconds(5);

    enum AwardGrantStep {
        /** The award waits for its time. */
        TIME,
        /** The award waits for an operator's release. */
        RELEASE,
        /** The award waits for an address from its winner. */
        CLAIM,
        /** The saga waits for a quick answer of fulfilment. If one comes, the dispatch of the award is not recorded. */
        QUICK_ANSWER,
        /** The saga waits for an answer of fulfilment, and tells the record that the award was dispatched. */
        ANSWER,
        /**
         * The address of the award was erased, and the saga tells the record so. The award is left to the desk if an
         * invoice was sent.
         */
        ADDRESS_ERASED,
        /** The award was not claimed, and the saga tells the record so. */
        FORFEIT,
        /** Fulfilment has rejected the award, and the award is compensated. */
        REMEDY,
        /** Fulfilment has rejected the award, and the award is left to the desk. */
        GIVE_UP,
        /** Fulfilment has not answered, and the award is left to the desk. */
        ABANDON,
        /** The award waits for the decision of an operator. */
        DESK
    }

    static AwardGrantSagaState of(AwardWon won, Instant now) {
        AwardGrantSagaState begun = new AwardGrantSagaState(
                Invoice.of(won, 1),
                AwardGrantStep.TIME,
                won.onFailure(),
                0,
                won.grant().at(),
                0,
                false,
                null);
        if (won.grant().timing() == Timing.MANUAL) {
            return begun.in(AwardGrantStep.RELEASE, null);
        }
        Instant at = won.grant().at();
        return at != null && now.isBefore(at) ? begun : begun.itsTime(now);
    }

    /**
     * Returns the state in which the saga continues when the award's time has come. The invoice is sent, unless an
     * address is missing.
     */
    private AwardGrantSagaState itsTime(Instant now) {
        return invoice.type().isParcel() && !addressed ? toBeClaimed(now) : sent(now);
    }

    private AwardGrantSagaState toBeClaimed(Instant now) {
        return in(AwardGrantStep.CLAIM, now.plus(Duration.ofDays(ClaimDays.of(invoice.content()))));
    }

    /** Returns the state in which one more invoice is sent. */
    private AwardGrantSagaState sent(Instant now) {
        Invoice next = sent == 0 ? invoice : invoice.again();
        return new AwardGrantSagaState(
                next,
                AwardGrantStep.QUICK_ANSWER,
                onFailure,
                sent + 1,
                now.plus(quickAnswerWait()),
                0,
                addressed,
                sealedAddress);
    }

    private Duration quickAnswerWait() {
        return switch (invoice.type().handover()) {
            case LOTTERY, SYSTEM -> QUICK_ANSWER_WAIT;
            case PARCEL -> Duration.ZERO;
        };
    }

    /**
     * Returns the state that waits for an answer to the last invoice. The wait counts from the sending of that invoice,
     * and doubles with each invoice.
     */
    private AwardGrantSagaState awaitsAnswer() {
        Duration wait = switch (invoice.type().handover()) {
            case LOTTERY, SYSTEM -> ANSWER_WAIT;
            case PARCEL -> ANSWER_WAIT_PARCEL;
        };
        Instant sentAt = Objects.requireNonNull(dueAt).minus(quickAnswerWait());
        return in(AwardGrantStep.ANSWER, sentAt.plus(wait.multipliedBy(1L << (sent - 1))));
    }

    private AwardGrantSagaState in(AwardGrantStep next, @Nullable Instant due) {
        return new AwardGrantSagaState(invoice, next, onFailure, sent, due, 0, addressed, sealedAddress);
    }

    /**
     * Returns the state after an event.
     *
     * @param now the time at which the event is handled
     */
    AwardGrantSagaState after(AwardEvent event, Instant now) {
        return switch (event) {
            case AwardWon _, AwardDispatched _ -> this;
            case AwardReleased _ -> step == AwardGrantStep.RELEASE ? itsTime(now) : this;
            case AwardClaimed claimed -> {
                AwardGrantSagaState addressed = to(claimed);
                yield step == AwardGrantStep.CLAIM || step == AwardGrantStep.FORFEIT ? addressed.sent(now) : addressed;
            }
            case AwardAddressErased _ -> withoutAddress(now);
            // The invoice is sent again when the wait for an answer is over, like any invoice that was not answered.
            case AwardDispatchFailed _ -> step == AwardGrantStep.QUICK_ANSWER ? awaitsAnswer() : this;
            case AwardGrantRejected _ ->
                in(onFailure == Remedy.MANUAL ? AwardGrantStep.GIVE_UP : AwardGrantStep.REMEDY, now);
            case AwardLeftToDesk _ -> in(AwardGrantStep.DESK, null);
            case AwardGranted _, AwardCompensated _, AwardForfeited _, AwardVoided _ -> in(AwardGrantStep.DESK, null);
        };
    }

    private AwardGrantSagaState to(AwardClaimed claimed) {
        return new AwardGrantSagaState(invoice, step, onFailure, sent, dueAt, asked, true, claimed.sealedAddress());
    }

    /** Returns the state in which the record is told that the address for the next invoice cannot be read. */
    AwardGrantSagaState addressErased(Instant now) {
        return in(AwardGrantStep.ADDRESS_ERASED, now);
    }

    /**
     * Returns the state after the erasure of the address. If no invoice was sent, the award waits for its time, if that
     * has not come, and then for another address. If an invoice was sent, the parcel may be on its way, and another
     * claim must not send a second parcel. So the award is left to the desk.
     */
    private AwardGrantSagaState withoutAddress(Instant now) {
        AwardGrantSagaState without =
                new AwardGrantSagaState(invoice, step, onFailure, sent, dueAt, asked, false, null);
        return switch (step) {
            case ADDRESS_ERASED, QUICK_ANSWER, ANSWER, ABANDON ->
                sent == 0 ? without.toBeClaimed(now) : without.addressErased(now);
            case TIME, RELEASE, CLAIM, FORFEIT, REMEDY, GIVE_UP, DESK -> without;
        };
    }

    /** Returns the invoice as it will be sent; empty if its address was erased. */
    Optional<Invoice> invoiceBy(PersonalTextOpener opener) {
        return sealedAddress == null
                ? Optional.of(invoice)
                : new AwardClaimed(invoice.awardRecordId(), invoice.userId(), sealedAddress)
                        .addressBy(opener)
                        .map(invoice::to);
    }

    /** Returns the state after a wait that no event has ended. */
    AwardGrantSagaState due(Instant now) {
        return switch (step) {
            case TIME -> itsTime(now);
            case CLAIM -> in(AwardGrantStep.FORFEIT, now).asked(now);
            case QUICK_ANSWER -> awaitsAnswer();
            case ANSWER ->
                sent < INVOICES_MAX
                        ? sent(now)
                        : in(AwardGrantStep.ABANDON, now).asked(now);
            case ADDRESS_ERASED, FORFEIT, REMEDY, GIVE_UP, ABANDON -> asked(now);
            case RELEASE, DESK -> this;
        };
    }

    private AwardGrantSagaState asked(Instant now) {
        return new AwardGrantSagaState(
                invoice,
                step,
                onFailure,
                sent,
                now.plus(SagaCommands.pauseAfter(asked)),
                asked + 1,
                addressed,
                sealedAddress);
    }

    /**
     * Returns whether the award may be in the operator queue, from which it has to be removed when no decision is
     * needed any more.
     */
    boolean needsPerson() {
        return switch (step) {
            case RELEASE, REMEDY, GIVE_UP, DESK -> true;
            case TIME, CLAIM, QUICK_ANSWER, ANSWER, ADDRESS_ERASED, FORFEIT, ABANDON -> false;
        };
    }

    /**
     * Returns the commands of this step. If a step lasts until its commands are done, it sends them again and again.
     */
    List<Command<?>> commands() {
        return switch (step) {
            case ANSWER -> List.of(new ConfirmDispatch(invoice.awardRecordId(), invoice.attempt()));
            case ADDRESS_ERASED ->
                List.of(
                        sent == 0
                                ? new EraseAddress(invoice.awardRecordId())
                                : new LeaveToDesk(
                                        invoice.awardRecordId(),
                                        "its address was erased, and fulfilment has not answered " + sent
                                                + " invoices"));
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
