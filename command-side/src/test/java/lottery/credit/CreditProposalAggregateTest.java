package lottery.credit;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import lottery.CommandTargets;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.UserId;
import lottery.api.credit.CreditBookingResult;
import lottery.api.credit.CreditCommand.BookCredits;
import lottery.api.credit.CreditEntry;
import lottery.api.credit.CreditProposal;
import lottery.api.credit.CreditProposalCommand.ConfirmCredits;
import lottery.api.credit.CreditProposalCommand.DeclineCredits;
import lottery.api.credit.CreditProposalCommand.ProposeCredits;
import lottery.api.credit.CreditProposalEvent.CreditsConfirmed;
import lottery.api.credit.CreditProposalEvent.CreditsDeclined;
import lottery.api.credit.CreditProposalEvent.CreditsProposed;
import lottery.api.credit.CreditProposalId;
import lottery.store.trace.Actor;
import org.axonframework.test.aggregate.AggregateTestFixture;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.axonframework.test.aggregate.TestExecutor;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A booking that needs two persons")
class CreditProposalAggregateTest {

    private static final UserId ANN = new UserId("ann");
    private static final Instant NOON = Instant.parse("2026-11-21T04:00:00Z");
    private static final Instant EXPIRY = Instant.parse("2026-11-28T04:00:00Z");
    private static final BookCredits BOOKING = booking("5000");
    private static final CreditProposalId ID = CreditProposalId.of(ANN, "prize");
    private static final CreditsProposed PROPOSED =
            new CreditsProposed(ID, ANN, BOOKING.amount(), BOOKING.businessNo(), BOOKING.reason(), "fred", EXPIRY);
    private static final CreditsConfirmed CONFIRMED = new CreditsConfirmed(ID, ANN, 3, "fred", "paul");
    private static final CreditsDeclined DECLINED = new CreditsDeclined(ID, ANN, "paul", "Too much");

    private final List<BookCredits> booked = new ArrayList<>();
    private Answer<CreditBookingResult> answer = Answer.done(new CreditBookingResult(
            new CreditEntry(3, BOOKING.amount(), BOOKING.amount(), BOOKING.businessNo(), BOOKING.reason(), NOON),
            true));

    private static BookCredits booking(String amount) {
        return new BookCredits(ANN, new BigDecimal(amount), "prize", "First prize");
    }

    private static Actor actor(String name) {
        return new Actor(name, "approver", Set.of("approver"), Actor.AccessScope.ALL);
    }

    private static Answer<CreditProposal> refused(String state) {
        return Answer.no(new Refused(Refusal.PROPOSAL_STATE, ID + " (" + state + ")"));
    }

    @SuppressWarnings("NullAway") // It is not asked for anything else.
    private FixtureConfiguration<CreditProposalAggregate> at(Instant now) {
        InstantSource clock = InstantSource.fixed(now);
        return new AggregateTestFixture<>(CreditProposalAggregate.class)
                .registerCommandTargetResolver(new CommandTargets())
                .registerInjectableResource(clock)
                .registerInjectableResource(new CreditBooker(null, null, null, clock) {
                    @Override
                    public Answer<CreditBookingResult> book(BookCredits booking) {
                        booked.add(booking);
                        return answer;
                    }
                });
    }

    private TestExecutor<CreditProposalAggregate> given(Object... events) {
        return at(NOON).given(events);
    }

    @Test
    @DisplayName("It is proposed with the name of the first person, and nothing is booked.")
    void proposed() {
        try (var _ = Actor.open(actor("fred"))) {
            at(NOON).givenNoPriorActivity()
                    .when(new ProposeCredits(BOOKING))
                    .expectEvents(PROPOSED)
                    .expectResultMessagePayload(Answer.done(CreditProposal.of(PROPOSED)));
        }
        assertThat(booked).isEmpty();
    }

    @Test
    @DisplayName("It is booked when another person confirms it, and names both. The same person is refused.")
    void twoPersons() {
        try (var _ = Actor.open(actor("fred"))) {
            given(PROPOSED)
                    .when(new ConfirmCredits(ID))
                    .expectNoEvents()
                    .expectResultMessagePayload(
                            Answer.no(new Refused(Refusal.FORBIDDEN, "credits (proposed by fred)")));
        }
        assertThat(booked).isEmpty();
        try (var _ = Actor.open(actor("paul"))) {
            given(PROPOSED)
                    .when(new ConfirmCredits(ID))
                    .expectEvents(CONFIRMED)
                    .expectResultMessagePayload(
                            Answer.done(CreditProposal.of(PROPOSED).after(CONFIRMED)));
        }
        assertThat(booked).containsExactly(BOOKING);
    }

    @Test
    @DisplayName("It takes two calls where callers are not authenticated.")
    void nobodyAsked() {
        CreditsProposed byNobody =
                new CreditsProposed(ID, ANN, BOOKING.amount(), BOOKING.businessNo(), BOOKING.reason(), null, EXPIRY);
        at(NOON).givenNoPriorActivity().when(new ProposeCredits(BOOKING)).expectEvents(byNobody);
        given(byNobody).when(new ProposeCredits(BOOKING)).expectNoEvents();
        assertThat(booked).isEmpty();
        given(byNobody).when(new ConfirmCredits(ID)).expectEvents(new CreditsConfirmed(ID, ANN, 3, null, null));
    }

    @Test
    @DisplayName("The same number again is answered with the proposal, and refused with another amount.")
    void repeated() {
        given(PROPOSED)
                .when(new ProposeCredits(booking("5000.00")))
                .expectNoEvents()
                .expectResultMessagePayload(Answer.done(CreditProposal.of(PROPOSED)));
        given(PROPOSED)
                .when(new ProposeCredits(booking("5001")))
                .expectNoEvents()
                .expectResultMessagePayload(Answer.no(new Refused(Refusal.KEY_REUSED, "prize")));
        given(PROPOSED, CONFIRMED)
                .when(new ProposeCredits(BOOKING))
                .expectNoEvents()
                .expectResultMessagePayload(
                        Answer.done(CreditProposal.of(PROPOSED).after(CONFIRMED)));
        given(PROPOSED, DECLINED)
                .when(new ProposeCredits(BOOKING))
                .expectNoEvents()
                .expectResultMessagePayload(refused("DECLINED"));
    }

    @Test
    @DisplayName("The same decision again changes nothing, and another one is refused.")
    void decided() {
        given(PROPOSED, CONFIRMED)
                .when(new ConfirmCredits(ID))
                .expectNoEvents()
                .expectResultMessagePayload(
                        Answer.done(CreditProposal.of(PROPOSED).after(CONFIRMED)));
        given(PROPOSED, CONFIRMED)
                .when(new DeclineCredits(ID, "Too much"))
                .expectNoEvents()
                .expectResultMessagePayload(refused("BOOKED"));
        given(PROPOSED, DECLINED)
                .when(new DeclineCredits(ID, "Far too much"))
                .expectNoEvents()
                .expectResultMessagePayload(
                        Answer.done(CreditProposal.of(PROPOSED).after(DECLINED)));
        given(PROPOSED, DECLINED)
                .when(new ConfirmCredits(ID))
                .expectNoEvents()
                .expectResultMessagePayload(refused("DECLINED"));
        assertThat(booked).isEmpty();
    }

    @Test
    @DisplayName("It is declined without a booking, also by the person who has proposed it.")
    void declined() {
        try (var _ = Actor.open(actor("paul"))) {
            given(PROPOSED).when(new DeclineCredits(ID, "Too much")).expectEvents(DECLINED);
        }
        try (var _ = Actor.open(actor("fred"))) {
            given(PROPOSED).when(new DeclineCredits(ID, null)).expectEvents(new CreditsDeclined(ID, ANN, "fred", null));
        }
        assertThat(booked).isEmpty();
    }

    @Test
    @DisplayName("It can be confirmed until it expires, and not from then on.")
    void expired() {
        at(EXPIRY.minusNanos(1))
                .given(PROPOSED)
                .when(new ConfirmCredits(ID))
                .expectEvents(new CreditsConfirmed(ID, ANN, 3, "fred", null));
        booked.clear();
        at(EXPIRY)
                .given(PROPOSED)
                .when(new ConfirmCredits(ID))
                .expectNoEvents()
                .expectResultMessagePayload(refused("EXPIRED"));
        at(EXPIRY)
                .given(PROPOSED)
                .when(new ProposeCredits(BOOKING))
                .expectNoEvents()
                .expectResultMessagePayload(refused("EXPIRED"));
        assertThat(booked).isEmpty();
    }

    @Test
    @DisplayName("It still waits if the booking is refused.")
    void tooLittle() {
        answer = Answer.no(new Refused(Refusal.CREDITS_SHORT, "credit:33:ann (7)"));
        given(PROPOSED)
                .when(new ConfirmCredits(ID))
                .expectNoEvents()
                .expectResultMessagePayload(Answer.no(new Refused(Refusal.CREDITS_SHORT, "credit:33:ann (7)")));
    }
}
