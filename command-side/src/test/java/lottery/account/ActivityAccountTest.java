package lottery.account;

import static lottery.account.AccountFixture.ANN;
import static lottery.account.AccountFixture.DRAW;
import static lottery.account.AccountFixture.LAST_MONTH;
import static lottery.account.AccountFixture.PARTAKE;
import static lottery.account.AccountFixture.RECHARGED;
import static lottery.account.AccountFixture.RECHARGED_OFTEN;
import static lottery.account.AccountFixture.REQUEST;
import static lottery.account.AccountFixture.TODAY;
import static lottery.account.AccountFixture.USER;
import static lottery.account.AccountFixture.YESTERDAY;
import static lottery.account.AccountFixture.answered;
import static lottery.account.AccountFixture.assertThrown;
import static lottery.account.AccountFixture.due;
import static lottery.account.AccountFixture.fixture;
import static lottery.account.AccountFixture.spent;
import static lottery.account.AccountFixture.spentOn;
import static lottery.raffle.RaffleInMemory.ACTIVITY;
import static lottery.raffle.RaffleInMemory.NOW;
import static lottery.raffle.RaffleInMemory.PARTICIPATIONS;

import java.util.List;
import java.util.stream.Stream;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.account.AccountCommand.Draw;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.raffle.DrawRequestResult;
import lottery.api.raffle.DrawResult;
import lottery.api.raffle.FewerDrawsReason;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleEvent.RaffleOrderCreated;
import lottery.api.raffle.RaffleEvent.Wish;
import lottery.api.raffle.RaffleOrderId;
import lottery.raffle.DrawDecisionInput;
import lottery.raffle.RaffleInMemory;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("An account spends its chances for draws, orders and entries, within its quotas.")
class ActivityAccountTest {

    private final RaffleInMemory raffle = new RaffleInMemory();
    private final FixtureConfiguration<ActivityAccount> account = fixture(raffle);

    @Test
    @DisplayName("Partaking spends a chance and creates an open order.")
    void partaken() {
        account.given(RECHARGED)
                .when(PARTAKE)
                .expectEvents(
                        spent(REQUEST.id(), TODAY, true, true),
                        new RaffleOrderCreated(REQUEST.id(), ACTIVITY, USER, NOW))
                .expectResultMessagePayload(Answer.done(REQUEST.id()));
    }

    @Test
    @DisplayName("Drawing spends a chance, and its order and its award begin with the draw.")
    void drawn() {
        RaffleDrawn drawn = RaffleInMemory.drawn(due(raffle, REQUEST.id(), 1, 0));
        account.given(RECHARGED_OFTEN, spentOn(YESTERDAY))
                .when(DRAW)
                .expectEvents(
                        spent(REQUEST.id(), TODAY, false, true),
                        drawn,
                        RaffleInMemory.won(due(raffle, REQUEST.id(), 1, 0)))
                .expectResultMessagePayload(Answer.done(new DrawRequestResult(List.of(DrawResult.of(drawn)), null)));
    }

    @Test
    @DisplayName("Drawing several times makes as many draws as there are chances, and stores why there were no more.")
    void severalDrawn() {
        Draw three = new Draw(ANN, REQUEST, 3);
        RaffleOrderId only = three.order(1);
        DrawDecisionInput due = due(raffle, only, 0, 0);
        account.given(RECHARGED)
                .when(three)
                .expectEvents(
                        spent(only, TODAY, false, true),
                        RaffleInMemory.drawn(due),
                        RaffleInMemory.won(due),
                        answered(Wish.DRAW, 3, FewerDrawsReason.QUOTA_DAY, List.of(only)))
                .expectResultMessagePayload(Answer.done(new DrawRequestResult(
                        List.of(DrawResult.of(RaffleInMemory.drawn(due))), FewerDrawsReason.QUOTA_DAY)));
    }

    @Test
    @DisplayName("Drawing several times ends when the last participation of the activity is taken.")
    void severalDrawnUntilFull() {
        raffle.takeParticipations(PARTICIPATIONS - 1);
        Draw three = new Draw(ANN, REQUEST, 3);
        RaffleOrderId only = three.order(1);
        DrawDecisionInput due = due(raffle, only, 0, 0);
        account.given(RECHARGED_OFTEN)
                .when(three)
                .expectEvents(
                        spent(only, TODAY, false, true),
                        RaffleInMemory.drawn(due),
                        RaffleInMemory.won(due),
                        answered(Wish.DRAW, 3, FewerDrawsReason.ACTIVITY_FULL, List.of(only)));
    }

    static Stream<SpendingCommand> spending() {
        return SpendingCommand.all();
    }

    static Stream<Arguments> quotas() {
        return spending()
                .flatMap(command -> Stream.of(
                        Arguments.of(
                                command,
                                Refusal.QUOTA_TOTAL,
                                List.of(spentOn(LAST_MONTH), spentOn(LAST_MONTH.plusDays(1)), spentOn(YESTERDAY))),
                        Arguments.of(
                                command,
                                Refusal.QUOTA_MONTH,
                                List.of(spentOn(YESTERDAY.minusDays(1)), spentOn(YESTERDAY))),
                        Arguments.of(command, Refusal.QUOTA_DAY, List.of(spentOn(TODAY)))));
    }

    @ParameterizedTest(name = "{1}: {0}")
    @MethodSource("quotas")
    @DisplayName("No chance is spent when none is left in total, in this month or on this day.")
    void noChance(SpendingCommand spending, Refusal why, List<ChanceSpent> before) {
        spending.assertRefused(why, ANN.text(), before);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("spending")
    @DisplayName("No chance is spent when all participations of the activity are taken.")
    void activityFull(SpendingCommand spending) {
        spending.raffle().takeParticipations(PARTICIPATIONS);
        spending.assertRefused(Refusal.ACTIVITY_FULL);
    }

    static Stream<SpendingCommand> withoutActivity() {
        return SpendingCommand.withoutActivity();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("withoutActivity")
    @DisplayName("No chance is spent in an activity that does not exist.")
    void activityUnknown(SpendingCommand spending) {
        spending.assertRefused(Refusal.NOT_FOUND);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("spending")
    @DisplayName("No chance is spent when the activity is closed.")
    void closed(SpendingCommand spending) {
        spending.raffle().close();
        spending.assertRefused(Refusal.ACTIVITY_NOT_OPEN);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("spending")
    @DisplayName("No chance is spent while the activity is paused.")
    void paused(SpendingCommand spending) {
        spending.raffle().pause();
        spending.assertRefused(Refusal.ACTIVITY_PAUSED);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("spending")
    @DisplayName("No chance is spent after the last day of the activity.")
    void over(SpendingCommand spending) {
        spending.raffle().end();
        spending.assertRefused(Refusal.ACTIVITY_DATES);
    }

    static Stream<SpendingCommand> withOtherDrawMode() {
        return SpendingCommand.withOtherDrawMode();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("withOtherDrawMode")
    @DisplayName("An activity that draws at once takes no entries, and an activity with a pool takes nothing else.")
    void otherDrawMode(SpendingCommand spending) {
        spending.assertRefused(Refusal.DRAW_MODE);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("spending")
    @DisplayName("A user without chances gets no account by trying to spend one.")
    void nobody(SpendingCommand spending) {
        assertThrown(
                fixture(spending.raffle()).givenNoPriorActivity().when(spending.command()),
                Refusal.QUOTA_TOTAL,
                ANN.text());
    }
}
