package lottery.account;

import static lottery.account.AccountFixture.ANN;
import static lottery.account.AccountFixture.CREATED;
import static lottery.account.AccountFixture.DRAW;
import static lottery.account.AccountFixture.LAST_MONTH;
import static lottery.account.AccountFixture.OPEN;
import static lottery.account.AccountFixture.OPENED;
import static lottery.account.AccountFixture.PARTAKE;
import static lottery.account.AccountFixture.RECHARGED;
import static lottery.account.AccountFixture.RECHARGED_OFTEN;
import static lottery.account.AccountFixture.REQUEST;
import static lottery.account.AccountFixture.TAKEN;
import static lottery.account.AccountFixture.TODAY;
import static lottery.account.AccountFixture.USER;
import static lottery.account.AccountFixture.YESTERDAY;
import static lottery.account.AccountFixture.answered;
import static lottery.account.AccountFixture.due;
import static lottery.account.AccountFixture.fixture;
import static lottery.account.AccountFixture.refused;
import static lottery.account.AccountFixture.spent;
import static lottery.account.AccountFixture.spentOn;
import static lottery.raffle.RaffleInMemory.ACTIVITY;
import static lottery.raffle.RaffleInMemory.NOW;
import static lottery.raffle.RaffleInMemory.PARTICIPATIONS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.account.AccountCommand;
import lottery.api.account.AccountCommand.Draw;
import lottery.api.account.AccountCommand.Enter;
import lottery.api.account.AccountEvent.ChanceReturned;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountEvent.OpenOrderUsed;
import lottery.api.award.AwardRecordId;
import lottery.api.raffle.DrawRequestResult;
import lottery.api.raffle.DrawResult;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleEvent.Wish;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.raffle.DrawDecisionInput;
import lottery.raffle.PriorDraws;
import lottery.raffle.RaffleInMemory;
import lottery.stock.StockId;
import org.axonframework.modelling.command.ConcurrencyException;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("An account has at most one open order, which is drawn or cancelled.")
class AccountOpenOrderTest {

    private final RaffleInMemory raffle = new RaffleInMemory();
    private final FixtureConfiguration<ActivityAccount> account = fixture(raffle);

    @Test
    @DisplayName("Partaking with an open order spends nothing and is answered with that order for ever.")
    void partakenAgain() {
        account.given(RECHARGED, OPENED)
                .when(PARTAKE)
                .expectEvents(answered(Wish.PARTAKE, 1, null, List.of(OPEN)))
                .expectResultMessagePayload(Answer.done(OPEN));
    }

    @Test
    @DisplayName("Drawing with an open order spends nothing, draws that order and stores it as the answer.")
    void openOrderDrawn() {
        raffle.given(OPEN, CREATED);
        DrawDecisionInput due = due(raffle, OPEN, 1, 1);
        RaffleDrawn drawn = RaffleInMemory.drawn(due);
        account.given(RECHARGED_OFTEN, spentOn(TODAY), OPENED)
                .when(DRAW)
                .expectEvents(
                        new OpenOrderUsed(ACTIVITY, USER, OPEN, TODAY), answered(Wish.DRAW, 1, null, List.of(OPEN)))
                .expectResultMessagePayload(Answer.done(new DrawRequestResult(List.of(DrawResult.of(drawn)), null)));
        assertThat(raffle.stored(OPEN)).containsExactly(CREATED, drawn);
        assertThat(raffle.stored(AwardRecordId.of(OPEN))).containsExactly(RaffleInMemory.won(due));
    }

    @Test
    @DisplayName("The answer to a draw of an open order is not stored for a request without a key.")
    void drawnWithoutKey() {
        raffle.given(OPEN, CREATED);
        account.given(RECHARGED, OPENED)
                .when(new Draw(ANN, RaffleRequestIdentity.fresh(ANN, NOW, RandomGenerator.getDefault()), 1))
                .expectEvents(new OpenOrderUsed(ACTIVITY, USER, OPEN, TODAY));
    }

    @Test
    @DisplayName("Drawing several times draws the open order first, and then spends chances.")
    void openOrderDrawnFirst() {
        raffle.given(OPEN, CREATED);
        Draw two = new Draw(ANN, REQUEST, 2);
        RaffleOrderId second = two.order(2);
        RaffleDrawn ofOpenOrder = RaffleInMemory.drawn(due(raffle, OPEN, 0, 0));
        DrawDecisionInput due = due(raffle, second, 1, 1);
        RaffleDrawn drawn = RaffleInMemory.drawn(due);
        account.given(RECHARGED_OFTEN, OPENED)
                .when(two)
                .expectEvents(
                        new OpenOrderUsed(ACTIVITY, USER, OPEN, TODAY),
                        spent(second, TODAY, false, 1),
                        drawn,
                        RaffleInMemory.won(due),
                        answered(Wish.DRAW, 2, null, List.of(OPEN, second)))
                .expectResultMessagePayload(Answer.done(
                        new DrawRequestResult(List.of(DrawResult.of(ofOpenOrder), DrawResult.of(drawn)), null)));
        assertThat(raffle.stored(OPEN)).containsExactly(CREATED, ofOpenOrder);
    }

    static Stream<AccountCommand<?>> commandsUnderKeyOfOpenOrder() {
        return Stream.of(new Draw(ANN, TAKEN, 1), new Enter(ANN, TAKEN));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("commandsUnderKeyOfOpenOrder")
    @DisplayName("The key under which the open order was created cannot be used for a draw or an entry.")
    void keyReused(AccountCommand<?> command) {
        account.given(RECHARGED, OPENED)
                .when(command)
                .expectNoEvents()
                .expectResultMessagePayload(refused(Refusal.KEY_REUSED, OPEN.text()));
    }

    @Test
    @DisplayName("Nothing is stored when another node has ended the order that the account takes for open.")
    void orderEndedElsewhere() {
        raffle.given(OPEN, CREATED, RaffleInMemory.drawn(due(raffle, OPEN, 0, 0)));
        account.given(RECHARGED, OPENED).when(DRAW).expectNoEvents().expectException(ConcurrencyException.class);
    }

    @Test
    @DisplayName("The draw of the open order is booked on the day on which it is made.")
    void openOrderUsed() {
        ChanceSpent yesterday = spent(OPEN, YESTERDAY, true, null);
        account.given(RECHARGED_OFTEN, spentOn(LAST_MONTH), yesterday)
                .whenInvoking(
                        ANN.text(),
                        invoked -> assertThat(invoked.useOpenOrder(
                                        ANN,
                                        OPEN,
                                        raffle.activities.findOpen(ACTIVITY).orThrow()))
                                .isEqualTo(new PriorDraws(1, 0, Map.of())))
                .expectEvents(new OpenOrderUsed(ACTIVITY, USER, OPEN, TODAY));
    }

    @Test
    @DisplayName("The cancellation of the open order gives back its chance of that day and its participation.")
    void openOrderCancelled() {
        StockId participations = StockId.ofActivity(ACTIVITY);
        raffle.stock.take(participations, PARTICIPATIONS, OPEN.text());
        account.given(RECHARGED, spent(OPEN, YESTERDAY, true, 1))
                .whenInvoking(
                        ANN.text(),
                        invoked -> invoked.cancelOpenOrder(ANN, OPEN, new ActivityParticipationStock(raffle.stock)))
                .expectEvents(new ChanceReturned(ACTIVITY, USER, OPEN, YESTERDAY));
        assertThat(raffle.stock.holders(participations)).isEmpty();
    }

    @Test
    @DisplayName("An account that does not know an order as its open one is out of date.")
    void outOfDate() {
        account.given(RECHARGED, OPENED)
                .whenInvoking(
                        ANN.text(),
                        invoked -> invoked.useOpenOrder(
                                ANN,
                                REQUEST.id(),
                                raffle.activities.findOpen(ACTIVITY).orThrow()))
                .expectNoEvents()
                .expectException(ConcurrencyException.class);
        account.given(RECHARGED)
                .whenInvoking(
                        ANN.text(),
                        invoked -> invoked.cancelOpenOrder(ANN, OPEN, new ActivityParticipationStock(raffle.stock)))
                .expectNoEvents()
                .expectException(ConcurrencyException.class);
    }
}
