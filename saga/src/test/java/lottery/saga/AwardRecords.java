package lottery.saga;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.UserId;
import lottery.api.account.AccountCommand.CompensateAward;
import lottery.api.award.Address;
import lottery.api.award.AwardCommand;
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
import lottery.api.award.AwardEvent.AwardGrantRejected;
import lottery.api.award.AwardEvent.AwardGranted;
import lottery.api.award.AwardEvent.AwardLeftToDesk;
import lottery.api.award.AwardEvent.AwardReleased;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.award.CodePoolId;
import lottery.api.credit.CreditCommand.BookCredits;
import lottery.api.raffle.Prize;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.Remedy;
import lottery.messaging.invoice.Invoice;
import lottery.store.axon.NamedNumberSeries;
import lottery.store.vault.PersonalTexts;
import org.axonframework.commandhandling.CommandHandler;
import org.axonframework.eventhandling.DomainEventMessage;
import org.axonframework.eventhandling.GenericDomainEventMessage;
import org.axonframework.eventsourcing.eventstore.EventStore;
import org.axonframework.messaging.unitofwork.CurrentUnitOfWork;
import org.axonframework.modelling.command.AggregateNotFoundException;

/** Replaces the award records of the command side: the same rules, no aggregate, and faults on demand. */
class AwardRecords {

    /** Is less than the time that an answer is awaited. */
    private static final int MEETING_MAX_SECONDS = 4;

    /** @param rejected whether fulfilment has rejected it */
    private record KeptAwardRecord(UserId userId, AwardState state, boolean rejected, long sequence) {

        static KeptAwardRecord wonBy(UserId userId) {
            return new KeptAwardRecord(userId, AwardState.WON, false, 0);
        }

        KeptAwardRecord in(AwardState next) {
            return new KeptAwardRecord(userId, next, rejected || next == AwardState.REJECTED, sequence + 1);
        }

        boolean isOnItsWay() {
            return state == AwardState.WON || state == AwardState.DISPATCHED;
        }

        boolean isOnDesk() {
            return state == AwardState.ON_DESK;
        }
    }

    private static final Instant NEVER = Instant.parse("9000-01-01T00:00:00Z");

    private final EventStore events;
    private final CreditAccounts credits;
    private final NamedNumberSeries series;
    private final PersonalTexts texts;
    private final ConcurrentMap<AwardRecordId, KeptAwardRecord> records = new ConcurrentHashMap<>();
    private final ConcurrentMap<AwardRecordId, Integer> failuresLeft = new ConcurrentHashMap<>();
    private final Set<AwardRecordId> lost = new HashSet<>();
    private final ConcurrentMap<AwardRecordId, CyclicBarrier> meetings = new ConcurrentHashMap<>();
    private final List<AwardCommand> received = new CopyOnWriteArrayList<>();

    AwardRecords(EventStore events, CreditAccounts credits, NamedNumberSeries series, PersonalTexts texts) {
        this.events = events;
        this.credits = credits;
        this.series = series;
        this.texts = texts;
    }

    synchronized void win(AwardWon won) {
        records.put(won.awardRecordId(), KeptAwardRecord.wonBy(won.userId()));
        append(won, 0);
    }

    /** Stores a record without its win, so that there is no saga. The first event of its stream is yet to come. */
    synchronized void keep(AwardRecordId id, UserId userId) {
        records.put(id, new KeptAwardRecord(userId, AwardState.WON, false, -1));
    }

    /**
     * Stores a record for which this invoice was sent. Its saga waits for a time that never comes, and goes to the desk
     * if the award is rejected.
     */
    synchronized void keep(Invoice invoice) {
        win(new AwardWon(
                invoice.awardRecordId(),
                invoice.activityId(),
                invoice.userId(),
                new Prize(invoice.award().awardId(), invoice.award().title(), invoice.type(), 1, invoice.amount()),
                false,
                null,
                invoice.content(),
                new GrantTime(GrantTime.Timing.SCHEDULED, NEVER),
                Remedy.RETURN_CHANCE,
                null,
                Instant.EPOCH,
                null));
        KeptAwardRecord record = requireNonNull(records.get(invoice.awardRecordId()));
        next(record, AwardState.DISPATCHED, new AwardDispatched(invoice.awardRecordId(), invoice.userId()));
    }

    /** The winner gives an address. */
    synchronized void claim(AwardRecordId id, Address address) {
        KeptAwardRecord record = requireNonNull(records.get(id));
        String sealed = texts.seal(record.userId().value(), id.text(), address.text());
        next(record, record.state(), new AwardClaimed(id, record.userId(), sealed));
    }

    /** From now on this record answers like an aggregate that does not exist. */
    synchronized void lose(AwardRecordId id) {
        lost.add(id);
    }

    void fail(AwardRecordId id, int times) {
        failuresLeft.put(id, times);
    }

    /** Makes the next commands to these records wait for each other; one after the other, they never meet. */
    CyclicBarrier meet(Collection<AwardRecordId> ids) {
        CyclicBarrier meeting = new CyclicBarrier(ids.size());
        ids.forEach(id -> meetings.put(id, meeting));
        return meeting;
    }

    /** From now on no command waits for another. */
    void meetNoMore() {
        meetings.clear();
    }

    /** Waits for the others. Commands of one unit of work have one thread, on which they never meet. */
    private void meetOthers(AwardRecordId id) {
        if (meetings.containsKey(id) && travelsWithOthers()) {
            throw new IllegalStateException("it meets others when it is alone");
        }
        CyclicBarrier meeting = meetings.remove(id);
        if (meeting != null) {
            try {
                meeting.await(MEETING_MAX_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                throw new IllegalStateException("the others do not come", e);
            }
        }
    }

    List<AwardCommand> receivedFor(AwardRecordId id) {
        return received.stream()
                .filter(command -> command.awardRecordId().equals(id))
                .toList();
    }

    List<AwardCommand> received() {
        return List.copyOf(received);
    }

    List<? extends DomainEventMessage<?>> eventsOf(AwardRecordId id) {
        return events.readEvents(id.text()).asStream().toList();
    }

    @CommandHandler
    Answer<AwardState> handle(ConfirmDispatch confirm) {
        return decide(confirm);
    }

    @CommandHandler
    Answer<AwardState> handle(GrantCredits grant) {
        meetOthers(grant.awardRecordId());
        return decide(grant);
    }

    @CommandHandler
    Answer<AwardState> handle(GrantCode grant) {
        meetOthers(grant.awardRecordId());
        return decide(grant);
    }

    @CommandHandler
    Answer<AwardState> handle(GrantAward grant) {
        meetOthers(grant.awardRecordId());
        return decide(grant);
    }

    @CommandHandler
    Answer<AwardState> handle(FailDispatch fail) {
        return decide(fail);
    }

    @CommandHandler
    Answer<AwardState> handle(RejectGrant reject) {
        return decide(reject);
    }

    @CommandHandler
    Answer<AwardState> handle(ReleaseAward release) {
        return decide(release);
    }

    /** Handles the account's command, which compensates the record. */
    @CommandHandler
    synchronized Answer<AwardState> handle(CompensateAward compensate) {
        AwardRecordId id = compensate.awardRecordId();
        KeptAwardRecord record = requireNonNull(records.get(id));
        return switch (record.state()) {
            case REJECTED, ON_DESK ->
                next(record, AwardState.COMPENSATED, new AwardCompensated(id, record.userId(), compensate.by(), null));
            case COMPENSATED -> Answer.done(AwardState.COMPENSATED);
            case WON, DISPATCHED, DISPATCH_FAILED, GRANTED, FORFEITED, VOIDED ->
                Answer.no(new Refused(Refusal.AWARD_STATE, id.text()));
        };
    }

    @CommandHandler
    Answer<AwardState> handle(EraseAddress erased) {
        return decide(erased);
    }

    @CommandHandler
    Answer<AwardState> handle(ForfeitAward forfeit) {
        return decide(forfeit);
    }

    @CommandHandler
    Answer<AwardState> handle(LeaveToDesk leave) {
        return decide(leave);
    }

    private synchronized Answer<AwardState> decide(AwardCommand command) {
        AwardRecordId id = command.awardRecordId();
        int failures = failuresLeft.getOrDefault(id, 0);
        if (travelsWithOthers()) {
            if (failures > 0 || lost.contains(id) || !records.containsKey(id)) {
                throw new IllegalStateException("it fails when it is alone, and is counted then");
            }
            CurrentUnitOfWork.get().onRollback(_ -> received.remove(command));
        }
        received.add(command);
        if (failures > 0) {
            failuresLeft.put(id, failures - 1);
            throw new IllegalStateException("the database is away");
        }
        if (lost.contains(id)) {
            throw new AggregateNotFoundException(id.text(), "not in the store");
        }
        if (!records.containsKey(id)) {
            return Answer.no(new Refused(Refusal.NOT_FOUND, id.text()));
        }
        KeptAwardRecord record = requireNonNull(records.get(id));
        return switch (command) {
            case GrantCredits grant when record.state().isAwaited() -> book(grant, record);
            case GrantCode _ when record.state().isAwaited() && !record.rejected() -> code(id, record);
            case ConfirmDispatch ignored
            when record.state() == AwardState.WON ->
                next(record, AwardState.DISPATCHED, new AwardDispatched(id, record.userId()));
            case GrantAward grant
            when record.isOnItsWay() || record.isOnDesk() ->
                next(record, AwardState.GRANTED, new AwardGranted(id, record.userId(), grant.reference()));
            case RejectGrant reject
            when (record.isOnItsWay() || record.isOnDesk()) && !record.rejected() ->
                next(
                        record,
                        AwardState.REJECTED,
                        new AwardGrantRejected(id, record.userId(), reject.reference(), reject.reason()));
            case FailDispatch fail
            when record.state() == AwardState.WON ->
                next(
                        record,
                        AwardState.DISPATCH_FAILED,
                        new AwardDispatchFailed(id, record.userId(), fail.attempt(), fail.reason()));
            case LeaveToDesk leave
            when record.isOnItsWay() || record.state() == AwardState.REJECTED ->
                next(record, AwardState.ON_DESK, new AwardLeftToDesk(id, record.userId(), leave.reason()));
            case ReleaseAward _
            when record.state() == AwardState.WON ->
                next(record, AwardState.WON, new AwardReleased(id, record.userId()));
            case EraseAddress _
            when record.state() == AwardState.WON ->
                next(record, AwardState.WON, new AwardAddressErased(id, record.userId()));
            case ConfirmDispatch _,
                    EraseAddress _,
                    GrantAward _,
                    GrantCode _,
                    RecordPoolWin _,
                    GrantCredits _,
                    RejectGrant _,
                    LeaveToDesk _,
                    ReleaseAward _,
                    FailDispatch _,
                    ForfeitAward _ -> Answer.done(record.state());
            case ClaimAward _, VoidAward _ -> throw new IllegalStateException("not asked for here: " + command);
        };
    }

    private Answer<AwardState> book(GrantCredits grant, KeptAwardRecord record) {
        AwardRecordId id = grant.awardRecordId();
        return credits.book(new BookCredits(record.userId(), grant.credits(), id.text(), "Points"))
                .then(booked -> next(
                        record,
                        AwardState.GRANTED,
                        new AwardGranted(id, record.userId(), booked.reference(record.userId()))));
    }

    private Answer<AwardState> code(AwardRecordId id, KeptAwardRecord record) {
        AwardWon won = (AwardWon) eventsOf(id).getFirst().getPayload();
        String reference = GrantCode.reference(id);
        return series.takeIfLeft(new CodePoolId(won.activityId(), won.award().awardId()).text(), id.text())
                ? next(record, AwardState.GRANTED, new AwardGranted(id, record.userId(), reference))
                : next(
                        record,
                        AwardState.REJECTED,
                        new AwardGrantRejected(id, record.userId(), reference, "no code was left"));
    }

    private static boolean travelsWithOthers() {
        return CurrentUnitOfWork.isStarted() && !CurrentUnitOfWork.get().isRoot();
    }

    /** Goes on to the next state, unless its unit of work fails: others may have taken the last code. */
    private Answer<AwardState> next(KeptAwardRecord record, AwardState state, AwardEvent event) {
        KeptAwardRecord after = record.in(state);
        append(event, after.sequence());
        records.put(event.awardRecordId(), after);
        CurrentUnitOfWork.ifStarted(
                unit -> unit.onRollback(_ -> records.replace(event.awardRecordId(), after, record)));
        return Answer.done(state);
    }

    private void append(AwardEvent event, long sequence) {
        events.publish(
                new GenericDomainEventMessage<>("award", event.awardRecordId().text(), sequence, event, Map.of()));
    }
}
