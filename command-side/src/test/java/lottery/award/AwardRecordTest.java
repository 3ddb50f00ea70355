package lottery.award;

import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import lottery.CommandTargets;
import lottery.PersonsInMemory;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.award.Address;
import lottery.api.award.AwardCommand.ClaimAward;
import lottery.api.award.AwardCommand.ConfirmDispatch;
import lottery.api.award.AwardCommand.EraseAddress;
import lottery.api.award.AwardCommand.ForfeitAward;
import lottery.api.award.AwardCommand.GrantAward;
import lottery.api.award.AwardCommand.GrantCode;
import lottery.api.award.AwardCommand.RejectGrant;
import lottery.api.award.AwardCommand.VoidAward;
import lottery.api.award.AwardEvent.AwardAddressErased;
import lottery.api.award.AwardEvent.AwardClaimed;
import lottery.api.award.AwardEvent.AwardDispatchFailed;
import lottery.api.award.AwardEvent.AwardDispatched;
import lottery.api.award.AwardEvent.AwardForfeited;
import lottery.api.award.AwardEvent.AwardGrantRejected;
import lottery.api.award.AwardEvent.AwardGranted;
import lottery.api.award.AwardEvent.AwardLeftToDesk;
import lottery.api.award.AwardEvent.AwardVoided;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.award.CodePoolId;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.Remedy;
import lottery.entitlement.EntitlementsInLog;
import lottery.raffle.RaffleInMemory;
import lottery.stock.StockInMemory;
import lottery.store.axon.NamedNumberSeries;
import org.axonframework.modelling.command.AggregateNotFoundException;
import org.axonframework.test.aggregate.AggregateTestFixture;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The aggregate of an award record")
class AwardRecordTest {

    private static final ActivityId ACTIVITY = new ActivityId(100);
    private static final UserId ANN = new UserId("ann");
    private static final AwardRecordId ID = AwardRecordId.of(
            RaffleRequestIdentity.of(new AccountId(ACTIVITY, ANN), "first").id());
    private static final AwardWon WON = new AwardWon(
            ID,
            ACTIVITY,
            ANN,
            new Prize(101, "Coffee", AwardType.TEXT, 1, null),
            false,
            null,
            Map.of("text", "Show this"),
            GrantTime.AT_ONCE,
            Remedy.MANUAL,
            null,
            Instant.parse("2026-11-21T04:00:00Z"),
            null);
    private static final AwardDispatched DISPATCHED = new AwardDispatched(ID, ANN);
    private static final AwardGranted GRANTED = new AwardGranted(ID, ANN, "receipt");
    private static final AwardGrantRejected REJECTED = new AwardGrantRejected(ID, ANN, "receipt", "closed");
    private static final GrantAward GRANT = new GrantAward(ID, "receipt");
    private static final RejectGrant REJECT = new RejectGrant(ID, "receipt", "closed");

    private final PersonsInMemory texts = new PersonsInMemory();
    private final NamedNumberSeries series = mock(NamedNumberSeries.class);
    private final FixtureConfiguration<AwardRecord> record = new AggregateTestFixture<>(AwardRecord.class)
            .registerCommandTargetResolver(new CommandTargets())
            .registerInjectableResource(new StockInMemory())
            .registerInjectableResource(texts)
            .registerInjectableResource(series)
            .registerInjectableResource(EntitlementsInLog.of(new RaffleInMemory()))
            .registerInjectableResource(InstantSource.fixed(WON.wonAt()));

    @Test
    @DisplayName("A claim is sealed. After an erasure the award waits for another claim, and only then.")
    void addressErased() {
        AwardWon parcel = new AwardWon(
                ID,
                ACTIVITY,
                ANN,
                new Prize(101, "Umbrella", AwardType.PHYSICAL, 1, null),
                false,
                null,
                Map.of(),
                GrantTime.AT_ONCE,
                Remedy.MANUAL,
                null,
                WON.wonAt(),
                null);
        Address here = new Address("Ann", "1", "1 High Street", null, null);
        Address there = new Address("Ann", "1", "2 High Street", "", "Ring");
        ClaimAward claim = new ClaimAward(ID, here);
        AwardClaimed claimed = new AwardClaimed(ID, ANN, texts.seal("ann", ID.text(), here.text()));
        AwardAddressErased erased = new AwardAddressErased(ID, ANN);
        record.given(parcel).when(claim).expectEvents(claimed);
        record.given(parcel, claimed).when(claim).expectNoEvents();
        record.given(parcel, claimed).when(new ClaimAward(ID, there)).expectNoEvents();
        record.given(parcel, claimed).when(new EraseAddress(ID)).expectNoEvents();

        texts.erase("ann", "key1");
        record.given(parcel, claimed)
                .when(new EraseAddress(ID))
                .expectEvents(erased)
                .expectResultMessagePayload(Answer.done(AwardState.WON));
        record.given(parcel, claimed, DISPATCHED)
                .when(new EraseAddress(ID))
                .expectNoEvents()
                .expectResultMessagePayload(Answer.done(AwardState.DISPATCHED));
        record.given(parcel, claimed, DISPATCHED).when(GRANT).expectEvents(GRANTED);
        record.given(parcel, claimed, DISPATCHED)
                .when(new ClaimAward(ID, there))
                .expectNoEvents();
        record.given(parcel, claimed, DISPATCHED)
                .when(new VoidAward(ID, "bought"))
                .expectNoEvents();
        AwardLeftToDesk left = new AwardLeftToDesk(ID, ANN, "its address was erased");
        record.given(parcel, claimed, DISPATCHED, left).when(GRANT).expectEvents(GRANTED);
        record.given(parcel, claimed, GRANTED).when(new EraseAddress(ID)).expectNoEvents();
        record.given(parcel, claimed, erased).when(new EraseAddress(ID)).expectNoEvents();
        record.given(parcel, claimed, erased).when(GRANT).expectNoEvents();
        record.given(parcel, claimed, erased)
                .when(new ForfeitAward(ID))
                .expectEvents(new AwardForfeited(ID, ANN, ACTIVITY));
        AwardClaimed again = new AwardClaimed(ID, ANN, texts.seal("ann", ID.text(), there.text()));
        record.given(parcel, claimed).when(new ClaimAward(ID, there)).expectEvents(erased, again);
        record.given(parcel, claimed, erased).when(new ClaimAward(ID, there)).expectEvents(again);
    }

    @Test
    @DisplayName("A code is taken with the grant. If none is left, the award is rejected, and never gets one.")
    void code() {
        AwardWon won = new AwardWon(
                ID,
                ACTIVITY,
                ANN,
                new Prize(101, "Ticket", AwardType.CODE, 1, null),
                false,
                null,
                Map.of(),
                GrantTime.AT_ONCE,
                Remedy.MANUAL,
                null,
                WON.wonAt(),
                null);
        GrantCode grant = new GrantCode(ID, new CodePoolId(WON.activityId(), 101));
        String reference = "code:" + ID.key();
        AwardGrantRejected none = new AwardGrantRejected(ID, ANN, reference, "no code was left");
        record.given(won).when(grant).expectEvents(none);
        when(series.takeIfLeft("codes:100/101", ID.text())).thenReturn(true);
        record.given(won).when(grant).expectEvents(new AwardGranted(ID, ANN, reference));
        AwardLeftToDesk left = new AwardLeftToDesk(ID, ANN, "it was rejected");
        record.given(won, none, left).when(grant).expectEvents(new AwardGranted(ID, ANN, reference));
        record.given(won)
                .when(new GrantCode(ID, new CodePoolId(WON.activityId(), 102)))
                .expectNoEvents();
        when(series.takeIfLeft("codes:100/101", ID.text())).thenReturn(false);
        record.given(won, none, left)
                .when(grant)
                .expectNoEvents()
                .expectResultMessagePayload(Answer.done(AwardState.ON_DESK));
        record.given(won, GRANTED)
                .when(grant)
                .expectNoEvents()
                .expectResultMessagePayload(Answer.done(AwardState.GRANTED));
        record.given(WON).when(grant).expectNoEvents();
        verify(series, times(4)).takeIfLeft(anyString(), anyString());
    }

    @Test
    @DisplayName("A won award is dispatched once.")
    void dispatched() {
        record.given(WON).when(new ConfirmDispatch(ID, 1)).expectEvents(DISPATCHED);
        record.given(WON, DISPATCHED)
                .when(new ConfirmDispatch(ID, 1))
                .expectNoEvents()
                .expectResultMessagePayload(Answer.done(AwardState.DISPATCHED));
    }

    @Test
    @DisplayName("A dispatched award is granted once.")
    void granted() {
        record.given(WON, DISPATCHED).when(GRANT).expectEvents(GRANTED);
        record.given(WON, DISPATCHED, GRANTED)
                .when(GRANT)
                .expectNoEvents()
                .expectResultMessagePayload(Answer.done(AwardState.GRANTED));
    }

    @Test
    @DisplayName("An award is granted although its dispatch was not recorded yet, and stays granted after that.")
    void answerOvertakesDispatch() {
        record.given(WON).when(GRANT).expectEvents(GRANTED);
        record.given(WON, GRANTED).when(new ConfirmDispatch(ID, 1)).expectNoEvents();
    }

    @Test
    @DisplayName("is not dispatched by an invoice that is known not to have left, but by the next one")
    void failureOvertakesDispatch() {
        AwardDispatchFailed failed = new AwardDispatchFailed(ID, ANN, 1, "the broker is away");
        record.given(WON, failed).when(new ConfirmDispatch(ID, 1)).expectNoEvents();
        record.given(WON, failed).when(new ConfirmDispatch(ID, 2)).expectEvents(DISPATCHED);
    }

    @Test
    @DisplayName("An award record keeps the first answer.")
    void firstAnswerCounts() {
        record.given(WON, DISPATCHED).when(REJECT).expectEvents(REJECTED);
        record.given(WON, DISPATCHED, REJECTED).when(GRANT).expectNoEvents();
        record.given(WON, DISPATCHED, GRANTED).when(REJECT).expectNoEvents();
    }

    @Test
    @DisplayName("An award that was never won cannot be granted.")
    void noGrantWithoutWin() {
        record.givenNoPriorActivity().when(GRANT).expectNoEvents().expectException(AggregateNotFoundException.class);
    }

    @Test
    @DisplayName("An award is taken from its winner once.")
    void voided() {
        AwardLeftToDesk left = new AwardLeftToDesk(ID, ANN, "nobody answers");
        VoidAward taken = new VoidAward(ID, "bought");
        AwardVoided voided = new AwardVoided(ID, ANN, ACTIVITY, "bought");
        record.given(WON, left)
                .when(taken)
                .expectEvents(voided)
                .expectResultMessagePayload(Answer.done(AwardState.VOIDED));
        record.given(WON, left, voided)
                .when(taken)
                .expectNoEvents()
                .expectResultMessagePayload(Answer.done(AwardState.VOIDED));
        record.given(WON, left, voided).when(GRANT).expectNoEvents();
    }

    @Test
    @DisplayName("An award that is granted or on its way is not taken from its winner.")
    void notVoided() {
        Answer<AwardState> won = Answer.no(new Refused(Refusal.AWARD_STATE, ID + " (WON)"));
        record.given(WON).when(new VoidAward(ID, "bought")).expectNoEvents().expectResultMessagePayload(won);
        record.given(WON, DISPATCHED).when(new VoidAward(ID, "bought")).expectNoEvents();
        record.given(WON, DISPATCHED, GRANTED).when(new VoidAward(ID, "bought")).expectNoEvents();
    }
}
