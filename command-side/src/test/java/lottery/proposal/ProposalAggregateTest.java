package lottery.proposal;

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
import lottery.api.award.AwardRecordId;
import lottery.api.credit.CreditCommand.BookCredits;
import lottery.api.proposal.Proposal;
import lottery.api.proposal.ProposalCommand.AgreeToProposal;
import lottery.api.proposal.ProposalCommand.DeclineProposal;
import lottery.api.proposal.ProposalCommand.ProposeAction;
import lottery.api.proposal.ProposalEvent;
import lottery.api.proposal.ProposalEvent.ProposalAgreed;
import lottery.api.proposal.ProposalEvent.ProposalDeclined;
import lottery.api.proposal.ProposalEvent.ProposalMade;
import lottery.api.proposal.ProposalId;
import lottery.api.proposal.ProposedAction;
import lottery.store.trace.Actor;
import org.axonframework.test.aggregate.AggregateTestFixture;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.axonframework.test.aggregate.TestExecutor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An action that needs two persons")
class ProposalAggregateTest {

    private static final UserId ANN = new UserId("ann");
    private static final Instant NOON = Instant.parse("2026-11-21T04:00:00Z");
    private static final Instant EXPIRY = Instant.parse("2026-11-28T04:00:00Z");
    private static final ProposedAction BOOKING = booking("5000");
    private static final ProposedAction VOIDING =
            ProposedAction.voiding(AwardRecordId.of("award:33-e5173994-fc37-8861-b836-9cad666a564f"), ANN);
    private static final ProposalId ID = BOOKING.proposalId();
    private static final ProposalMade MADE = made(BOOKING, "fred");
    private static final ProposalAgreed AGREED = new ProposalAgreed(ID, ANN, "fred", "paul");
    private static final ProposalDeclined DECLINED = new ProposalDeclined(ID, ANN, "paul", "Too much");

    private final List<ProposedAction> executed = new ArrayList<>();
    private Answer<?> answer = Answer.done("done");

    private static ProposedAction booking(String amount) {
        return ProposedAction.booking(new BookCredits(ANN, new BigDecimal(amount), "prize", "First prize"));
    }

    private static ProposalMade made(ProposedAction action, @Nullable String by) {
        return new ProposalMade(action.proposalId(), ANN, action, "First prize", by, EXPIRY);
    }

    private static ProposeAction propose(ProposedAction action) {
        return new ProposeAction(action, "First prize");
    }

    private static Actor.ActorBinding as(String name, String role) {
        return Actor.open(new Actor(name, role, Set.of(role), Actor.AccessScope.ALL));
    }

    private static Answer<Proposal> done(ProposalMade made, ProposalEvent... later) {
        Proposal proposal = Proposal.evolve(null, made);
        for (ProposalEvent event : later) {
            proposal = Proposal.evolve(proposal, event);
        }
        return Answer.done(proposal);
    }

    private static Answer<Proposal> refused(String state) {
        return Answer.no(new Refused(Refusal.PROPOSAL_STATE, ID + " (" + state + ")"));
    }

    private static Answer<Proposal> forbidden(String detail) {
        return Answer.no(new Refused(Refusal.FORBIDDEN, detail));
    }

    @SuppressWarnings("NullAway") // It is not asked for anything else.
    private FixtureConfiguration<ProposalAggregate> at(Instant now) {
        return new AggregateTestFixture<>(ProposalAggregate.class)
                .registerCommandTargetResolver(new CommandTargets())
                .registerInjectableResource(InstantSource.fixed(now))
                .registerInjectableResource(new ProposedActionExecutor(null, null, null) {
                    @Override
                    Answer<?> execute(Proposal proposal, @Nullable Long version) {
                        executed.add(proposal.action());
                        return answer;
                    }
                });
    }

    private TestExecutor<ProposalAggregate> given(Object... events) {
        return at(NOON).given(events);
    }

    @Test
    @DisplayName("It is proposed with the name of the first person, and is not carried out.")
    void proposed() {
        try (var _ = as("fred", "front")) {
            at(NOON).givenNoPriorActivity()
                    .when(propose(BOOKING))
                    .expectEvents(MADE)
                    .expectResultMessagePayload(done(MADE));
        }
        assertThat(executed).isEmpty();
    }

    @Test
    @DisplayName("It is carried out when another person agrees, and names both. The same person is refused.")
    void twoPersons() {
        try (var _ = as("fred", "approver")) {
            given(MADE)
                    .when(new AgreeToProposal(ID))
                    .expectNoEvents()
                    .expectResultMessagePayload(forbidden("BOOK_CREDITS (proposed by fred)"));
        }
        assertThat(executed).isEmpty();
        try (var _ = as("paul", "approver")) {
            given(MADE)
                    .when(new AgreeToProposal(ID))
                    .expectEvents(AGREED)
                    .expectResultMessagePayload(done(MADE, AGREED));
        }
        assertThat(executed).containsExactly(BOOKING);
    }

    @Test
    @DisplayName("It is agreed to in the role that its kind names, and in no other.")
    void roles() {
        try (var _ = as("dora", "desk")) {
            given(MADE)
                    .when(new AgreeToProposal(ID))
                    .expectNoEvents()
                    .expectResultMessagePayload(forbidden("BOOK_CREDITS"));
            given(MADE)
                    .when(new DeclineProposal(ID, null))
                    .expectNoEvents()
                    .expectResultMessagePayload(forbidden("BOOK_CREDITS"));
        }
        ProposalMade voiding = made(VOIDING, "dan");
        try (var _ = as("paul", "approver")) {
            given(voiding)
                    .when(new AgreeToProposal(voiding.proposalId()))
                    .expectNoEvents()
                    .expectResultMessagePayload(forbidden("VOID_AWARD"));
        }
        assertThat(executed).isEmpty();
        try (var _ = as("dora", "desk")) {
            given(voiding)
                    .when(new AgreeToProposal(voiding.proposalId()))
                    .expectEvents(new ProposalAgreed(voiding.proposalId(), ANN, "dan", "dora"));
        }
        assertThat(executed).containsExactly(VOIDING);
    }

    @Test
    @DisplayName("It takes two calls where callers are not authenticated.")
    void nobodyAsked() {
        ProposalMade byNobody = made(BOOKING, null);
        at(NOON).givenNoPriorActivity().when(propose(BOOKING)).expectEvents(byNobody);
        given(byNobody).when(propose(BOOKING)).expectNoEvents();
        assertThat(executed).isEmpty();
        given(byNobody).when(new AgreeToProposal(ID)).expectEvents(new ProposalAgreed(ID, ANN, null, null));
    }

    @Test
    @DisplayName("A known person cannot agree to the proposal of an unknown one, and proposes it anew.")
    void unknownProposer() {
        try (var _ = as("fred", "approver")) {
            given(made(BOOKING, null))
                    .when(new AgreeToProposal(ID))
                    .expectNoEvents()
                    .expectResultMessagePayload(forbidden("BOOK_CREDITS"));
            given(made(BOOKING, null)).when(propose(BOOKING)).expectEvents(MADE);
        }
        assertThat(executed).isEmpty();
    }

    @Test
    @DisplayName("The same again is answered with the proposal. A booking with another amount is refused.")
    void repeated() {
        try (var _ = as("olga", "front")) {
            given(MADE).when(propose(booking("5000.00"))).expectNoEvents().expectResultMessagePayload(done(MADE));
        }
        given(MADE)
                .when(propose(booking("5001")))
                .expectNoEvents()
                .expectResultMessagePayload(Answer.no(new Refused(Refusal.KEY_REUSED, "prize")));
        given(MADE, AGREED).when(propose(BOOKING)).expectNoEvents().expectResultMessagePayload(done(MADE, AGREED));
    }

    @Test
    @DisplayName("After a decline or its end it can be proposed again, but no booking under the same number.")
    void again() {
        given(MADE, DECLINED).when(propose(BOOKING)).expectNoEvents().expectResultMessagePayload(refused("DECLINED"));
        at(EXPIRY).given(MADE).when(propose(BOOKING)).expectNoEvents().expectResultMessagePayload(refused("EXPIRED"));
        ProposalId id = VOIDING.proposalId();
        given(made(VOIDING, "dan"), new ProposalDeclined(id, ANN, "dora", null))
                .when(propose(VOIDING))
                .expectEvents(made(VOIDING, null));
        at(NOON.plusSeconds(1))
                .given(new ProposalMade(id, ANN, VOIDING, "First prize", "dan", NOON))
                .when(propose(VOIDING))
                .expectEvents(new ProposalMade(id, ANN, VOIDING, "First prize", null, EXPIRY.plusSeconds(1)));
    }

    @Test
    @DisplayName("The same decision again changes nothing, and another one is refused.")
    void decided() {
        given(MADE, AGREED)
                .when(new AgreeToProposal(ID))
                .expectNoEvents()
                .expectResultMessagePayload(done(MADE, AGREED));
        given(MADE, AGREED)
                .when(new DeclineProposal(ID, "Too much"))
                .expectNoEvents()
                .expectResultMessagePayload(refused("AGREED"));
        given(MADE, DECLINED)
                .when(new DeclineProposal(ID, "Far too much"))
                .expectNoEvents()
                .expectResultMessagePayload(done(MADE, DECLINED));
        given(MADE, DECLINED)
                .when(new AgreeToProposal(ID))
                .expectNoEvents()
                .expectResultMessagePayload(refused("DECLINED"));
        assertThat(executed).isEmpty();
    }

    @Test
    @DisplayName("It is declined without being carried out, also by the person who has proposed it.")
    void declined() {
        try (var _ = as("paul", "approver")) {
            given(MADE).when(new DeclineProposal(ID, "Too much")).expectEvents(DECLINED);
        }
        try (var _ = as("fred", "operator")) {
            given(MADE).when(new DeclineProposal(ID, null)).expectEvents(new ProposalDeclined(ID, ANN, "fred", null));
        }
        assertThat(executed).isEmpty();
    }

    @Test
    @DisplayName("It can be agreed to until it expires, and not from then on.")
    void expired() {
        at(EXPIRY.minusNanos(1))
                .given(MADE)
                .when(new AgreeToProposal(ID))
                .expectEvents(new ProposalAgreed(ID, ANN, "fred", null));
        executed.clear();
        at(EXPIRY)
                .given(MADE)
                .when(new AgreeToProposal(ID))
                .expectNoEvents()
                .expectResultMessagePayload(refused("EXPIRED"));
        assertThat(executed).isEmpty();
    }

    @Test
    @DisplayName("It still waits if the action is refused.")
    void tooLittle() {
        Refused refused = new Refused(Refusal.CREDITS_SHORT, "credit:33:ann (7)");
        answer = Answer.no(refused);
        given(MADE).when(new AgreeToProposal(ID)).expectNoEvents().expectResultMessagePayload(Answer.no(refused));
    }
}
