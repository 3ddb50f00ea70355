package lottery.saga.grant;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import lottery.api.UserId;
import lottery.api.account.AccountCommand.CompensateAward;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.award.Address;
import lottery.api.award.AwardCommand.ConfirmDispatch;
import lottery.api.award.AwardCommand.EraseAddress;
import lottery.api.award.AwardCommand.ForfeitAward;
import lottery.api.award.AwardCommand.LeaveToDesk;
import lottery.api.award.AwardEvent.AwardAddressErased;
import lottery.api.award.AwardEvent.AwardClaimed;
import lottery.api.award.AwardEvent.AwardDispatchFailed;
import lottery.api.award.AwardEvent.AwardDispatched;
import lottery.api.award.AwardEvent.AwardGrantRejected;
import lottery.api.award.AwardEvent.AwardLeftToDesk;
import lottery.api.award.AwardEvent.AwardReleased;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.person.PersonalTextOpener;
import lottery.api.raffle.Prize;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.api.strategy.AwardType;
import lottery.api.strategy.GrantTime;
import lottery.api.strategy.GrantTime.Timing;
import lottery.api.strategy.Remedy;
import lottery.saga.grant.AwardGrantSagaState.AwardGrantStep;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("The state of a grant saga")
class AwardGrantSagaStateTest {

    private static final Instant NOON = Instant.parse("2026-11-21T04:00:00Z");
    private static final UserId ANN = new UserId("ann");
    private static final AccountId ACCOUNT = new AccountId(new ActivityId(100), ANN);
    private static final AwardRecordId ID =
            AwardRecordId.of(RaffleRequestIdentity.of(ACCOUNT, "first").id());
    private static final AwardGrantRejected REJECTED = new AwardGrantRejected(ID, ANN, "receipt", "closed");
    private static final AwardReleased RELEASED = new AwardReleased(ID, ANN);

    private static AwardWon won(AwardType type, GrantTime grant, Remedy onFailure, Map<String, String> config) {
        return new AwardWon(
                ID,
                ACCOUNT.activityId(),
                ANN,
                new Prize(1, "Something", type, 1, null),
                false,
                null,
                config,
                grant,
                onFailure,
                null,
                NOON,
                null);
    }

    private static AwardGrantSagaState text(Timing timing, @Nullable Instant at) {
        return AwardGrantSagaState.of(
                won(AwardType.TEXT, new GrantTime(timing, at), Remedy.SUBSTITUTE, Map.of()), NOON);
    }

    @Nested
    @DisplayName("The first invoice")
    class Timed {

        @Test
        @DisplayName("The invoice is sent at once.")
        void instant() {
            AwardGrantSagaState handover = text(Timing.INSTANT, null);
            assertThat(handover.sent()).isEqualTo(1);
            assertThat(handover.step()).isEqualTo(AwardGrantStep.QUICK_ANSWER);
            assertThat(handover.commands()).isEmpty();
            assertThat(handover.dueAt()).isEqualTo(NOON.plusSeconds(5));
        }

        @Test
        @DisplayName("The invoice is sent at its date, or at the end of the activity, and not before.")
        void later() {
            for (Timing timing : List.of(Timing.SCHEDULED, Timing.ACTIVITY_END)) {
                Instant at = NOON.plus(Duration.ofDays(3));
                AwardGrantSagaState handover = text(timing, at);
                assertThat(handover.sent()).isZero();
                assertThat(handover.dueAt()).isEqualTo(at);
                assertThat(handover.due(at).sent()).isEqualTo(1);
                assertThat(handover.due(at).invoice().attempt()).isEqualTo(1);
            }
        }

        @Test
        @DisplayName("The invoice is sent at once, if its date has passed when the award is won.")
        void late() {
            assertThat(text(Timing.SCHEDULED, NOON.minusSeconds(1)).sent()).isEqualTo(1);
        }

        @Test
        @DisplayName("The invoice is sent when an operator releases the award, once.")
        void released() {
            AwardGrantSagaState waits = text(Timing.MANUAL, null);
            assertThat(waits.sent()).isZero();
            assertThat(waits.dueAt()).isNull();
            AwardGrantSagaState released = waits.after(RELEASED, NOON);
            assertThat(released.sent()).isEqualTo(1);
            assertThat(released.after(RELEASED, NOON)).isEqualTo(released);
        }
    }

    @Nested
    @DisplayName("A parcel")
    class ParcelGrant {

        private static final Address ADDRESS = new Address("Ann", "123", "1 High Street", null, "Ring twice");
        private static final AwardClaimed CLAIMED = new AwardClaimed(ID, ANN, "1:sealed");
        private static final PersonalTextOpener OPENER = (_, _, _) -> Optional.of(ADDRESS.text());
        private static final PersonalTextOpener ERASED = (_, _, _) -> Optional.empty();

        private AwardGrantSagaState physical(Map<String, String> config) {
            return AwardGrantSagaState.of(won(AwardType.PHYSICAL, GrantTime.AT_ONCE, Remedy.MANUAL, config), NOON);
        }

        @Test
        @DisplayName("A parcel waits for its address, for 30 days or as long as the award says.")
        void window() {
            assertThat(physical(Map.of()).dueAt()).isEqualTo(NOON.plus(Duration.ofDays(30)));
            assertThat(physical(Map.of("claimDays", "7")).dueAt()).isEqualTo(NOON.plus(Duration.ofDays(7)));
        }

        @Test
        @DisplayName("A parcel is invoiced with its address, and has days to arrive.")
        void claimed() {
            AwardGrantSagaState sent =
                    physical(Map.of("size", "L", "postalCode", "none")).after(CLAIMED, NOON);
            assertThat(sent.sent()).isEqualTo(1);
            assertThat(sent.invoice().content())
                    .as("kept in the saga")
                    .isEqualTo(Map.of("size", "L", "postalCode", "none"));
            assertThat(sent.invoiceBy(OPENER).orElseThrow().content())
                    .isEqualTo(Map.of(
                            "size",
                            "L",
                            "name",
                            "Ann",
                            "phone",
                            "123",
                            "address",
                            "1 High Street",
                            "note",
                            "Ring twice"));
            assertThat(sent.dueAt()).as("to be noted").isEqualTo(NOON);
            assertThat(sent.due(NOON).commands()).containsExactly(new ConfirmDispatch(ID, 1));
            assertThat(sent.due(NOON).dueAt()).isEqualTo(NOON.plus(Duration.ofDays(3)));
            assertThat(sent.after(CLAIMED, NOON).sent()).isEqualTo(1);
        }

        @Test
        @DisplayName("A parcel whose address was erased is not invoiced, and waits to be claimed again.")
        void erased() {
            AwardGrantSagaState won = physical(Map.of());
            assertThat(won.after(CLAIMED, NOON).invoiceBy(ERASED)).isEmpty();
            AwardGrantSagaState lost = won.addressErased(NOON);
            assertThat(lost.commands()).containsExactly(new EraseAddress(ID));
            assertThat(lost.due(NOON).commands()).containsExactly(new EraseAddress(ID));
            assertThat(lost.due(NOON).dueAt()).isAfter(NOON);
            AwardGrantSagaState waits = lost.due(NOON).after(new AwardAddressErased(ID, ANN), NOON);
            assertThat(waits.step()).isEqualTo(AwardGrantStep.CLAIM);
            assertThat(waits.dueAt()).isEqualTo(NOON.plus(Duration.ofDays(30)));
            AwardGrantSagaState again = waits.after(CLAIMED, NOON.plusSeconds(1));
            assertThat(again.sent()).isEqualTo(1);
            assertThat(again.invoiceBy(OPENER).orElseThrow().attempt()).isEqualTo(1);
        }

        @Test
        @DisplayName(
                "A parcel whose address was erased after an invoice is left to the desk, whatever is claimed then.")
        void erasedOnItsWay() {
            AwardGrantSagaState sent = physical(Map.of()).after(CLAIMED, NOON).due(NOON);
            LeaveToDesk leave =
                    new LeaveToDesk(ID, "its address was erased, and fulfilment has not answered 1 invoices");
            assertThat(sent.addressErased(NOON).commands()).containsExactly(leave);
            assertThat(sent.addressErased(NOON).due(NOON).commands()).containsExactly(leave);
            AwardGrantSagaState claimedAgain =
                    sent.after(new AwardAddressErased(ID, ANN), NOON).after(CLAIMED, NOON);
            assertThat(claimedAgain.sent()).isEqualTo(1);
            assertThat(claimedAgain.commands()).containsExactly(leave);
            assertThat(claimedAgain
                            .after(new AwardLeftToDesk(ID, ANN, leave.reason()), NOON)
                            .step())
                    .isEqualTo(AwardGrantStep.DESK);
        }

        @Test
        @DisplayName("A parcel whose address was erased before its time waits for its time, and then for a claim.")
        void erasedEarly() {
            Instant at = NOON.plus(Duration.ofDays(1));
            AwardGrantSagaState waits = AwardGrantSagaState.of(
                            won(AwardType.PHYSICAL, new GrantTime(Timing.SCHEDULED, at), Remedy.MANUAL, Map.of()), NOON)
                    .after(CLAIMED, NOON)
                    .after(new AwardAddressErased(ID, ANN), NOON);
            assertThat(waits.dueAt()).isEqualTo(at);
            assertThat(waits.due(at).step()).isEqualTo(AwardGrantStep.CLAIM);
        }

        @Test
        @DisplayName("A parcel can be claimed before its time.")
        void claimedEarly() {
            Instant at = NOON.plus(Duration.ofDays(1));
            AwardGrantSagaState waits = AwardGrantSagaState.of(
                            won(AwardType.PHYSICAL, new GrantTime(Timing.SCHEDULED, at), Remedy.MANUAL, Map.of()), NOON)
                    .after(CLAIMED, NOON);
            assertThat(waits.sent()).isZero();
            assertThat(waits.due(at).sent()).isEqualTo(1);
        }

        @Test
        @DisplayName("A parcel without a claim is forfeited, and the command is repeated until it has an effect.")
        void unclaimed() {
            Instant over = NOON.plus(Duration.ofDays(30));
            AwardGrantSagaState forfeited = physical(Map.of()).due(over);
            assertThat(forfeited.commands()).containsExactly(new ForfeitAward(ID));
            assertThat(forfeited.dueAt()).isAfter(over);
            assertThat(forfeited.due(over.plusSeconds(2)).commands()).containsExactly(new ForfeitAward(ID));
            assertThat(forfeited.due(over.plusSeconds(2)).dueAt()).isAfter(over.plusSeconds(5));
        }

        @Test
        @DisplayName("A parcel is invoiced if the claim is faster than the end of its time.")
        void claimedInTheLastMoment() {
            Instant over = NOON.plus(Duration.ofDays(30));
            AwardGrantSagaState sent = physical(Map.of()).due(over).after(CLAIMED, over.plusSeconds(1));
            assertThat(sent.step()).isEqualTo(AwardGrantStep.QUICK_ANSWER);
            assertThat(sent.sent()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("Without an answer the award is invoiced again with growing waits, and then left to the desk.")
    void unanswered() {
        AwardGrantSagaState handover = text(Timing.INSTANT, null);
        List<Long> minutes = new ArrayList<>();
        while (handover.step() == AwardGrantStep.QUICK_ANSWER) {
            assertThat(handover.commands()).isEmpty();
            handover = handover.due(Objects.requireNonNull(handover.dueAt()));
            assertThat(handover.step()).isEqualTo(AwardGrantStep.ANSWER);
            assertThat(handover.commands()).containsExactly(new ConfirmDispatch(ID, handover.sent()));
            Instant due = Objects.requireNonNull(handover.dueAt());
            minutes.add(Duration.between(NOON, due).toMinutes());
            assertThat(handover.invoice().attempt()).isEqualTo(handover.sent()).isEqualTo(minutes.size());
            handover = handover.due(due);
        }
        assertThat(minutes).containsExactly(1L, 3L, 7L, 15L, 31L);
        assertThat(handover.commands()).containsExactly(new LeaveToDesk(ID, "fulfilment has not answered 5 invoices"));
        AwardGrantSagaState onDesk = handover.after(new AwardLeftToDesk(ID, ANN, "why"), NOON);
        assertThat(onDesk.dueAt()).isNull();
        assertThat(onDesk.commands()).isEmpty();
        // A late answer still counts.
        assertThat(onDesk.after(REJECTED, NOON).due(NOON).commands())
                .containsExactly(new CompensateAward(ACCOUNT, ID, Remedy.SUBSTITUTE));
    }

    @Test
    @DisplayName("An award whose invoice could not be sent is not dispatched, and is invoiced again all the same.")
    void notSent() {
        AwardGrantSagaState sent = text(Timing.INSTANT, null);
        AwardGrantSagaState failed = sent.after(new AwardDispatchFailed(ID, ANN, 1, "too large"), NOON.plusSeconds(1));
        assertThat(failed.dueAt()).isEqualTo(NOON.plus(Duration.ofMinutes(1)));
        assertThat(failed.due(NOON.plus(Duration.ofMinutes(1))).sent()).isEqualTo(2);
    }

    @Test
    @DisplayName("A rejected award is compensated as it says, and the command is repeated until it has an effect.")
    void remedies() {
        for (Remedy remedy : List.of(Remedy.SUBSTITUTE, Remedy.RETURN_CHANCE)) {
            AwardGrantSagaState rejected = AwardGrantSagaState.of(
                            won(AwardType.TEXT, GrantTime.AT_ONCE, remedy, Map.of()), NOON)
                    .after(REJECTED, NOON);
            assertThat(rejected.dueAt()).isEqualTo(NOON);
            AwardGrantSagaState asked = rejected.due(NOON);
            assertThat(asked.commands()).containsExactly(new CompensateAward(ACCOUNT, ID, remedy));
            assertThat(asked.dueAt()).isEqualTo(NOON.plusSeconds(2));
            assertThat(asked.due(NOON.plusSeconds(2)).dueAt()).isEqualTo(NOON.plusSeconds(6));
            assertThat(asked.sent()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("A rejected award without a remedy is left to the desk.")
    void manual() {
        AwardGrantSagaState rejected = AwardGrantSagaState.of(
                        won(AwardType.TEXT, GrantTime.AT_ONCE, Remedy.MANUAL, Map.of()), NOON)
                .after(REJECTED, NOON);
        assertThat(rejected.due(NOON).commands()).hasOnlyElementsOfType(LeaveToDesk.class);
        AwardGrantSagaState onDesk = rejected.after(new AwardLeftToDesk(ID, ANN, "why"), NOON);
        assertThat(onDesk.dueAt()).isNull();
    }

    @Test
    @DisplayName("The event of a dispatch changes nothing, whenever it comes.")
    void dispatched() {
        AwardDispatched dispatched = new AwardDispatched(ID, ANN);
        AwardGrantSagaState sent = text(Timing.INSTANT, null);
        assertThat(sent.after(dispatched, NOON)).isEqualTo(sent);
        AwardGrantSagaState rejected = sent.after(REJECTED, NOON);
        assertThat(rejected.after(dispatched, NOON)).isEqualTo(rejected);
    }
}
