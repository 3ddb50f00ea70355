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

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.UserId;
import lottery.api.account.AccountCommand;
import lottery.api.account.AccountCommand.CancelRaffleOrder;
import lottery.api.account.AccountCommand.Draw;
import lottery.api.account.AccountCommand.DrawRaffleOrder;
import lottery.api.account.AccountCommand.Enter;
import lottery.api.account.AccountEvent.ChanceReturned;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountEvent.OpenOrderUsed;
import lottery.api.activity.StockId;
import lottery.api.award.AwardRecordId;
import lottery.api.raffle.DrawRequestResult;
import lottery.api.raffle.DrawResult;
import lottery.api.raffle.RaffleEvent;
import lottery.api.raffle.RaffleEvent.EntryMade;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleEvent.RaffleOrderCancelled;
import lottery.api.raffle.RaffleEvent.RaffleOrderCreated;
import lottery.api.raffle.RaffleEvent.RaffleOrderRefused;
import lottery.api.raffle.RaffleEvent.RequestAnswered;
import lottery.api.raffle.RaffleEvent.Wish;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.raffle.DrawDecisionInput;
import lottery.raffle.RaffleInMemory;
import org.axonframework.modelling.command.ConcurrencyException;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("An account has at most one open order, which is drawn or cancelled.")
class AccountOpenOrderTest {

    private static final DrawRaffleOrder DRAW_ORDER = new DrawRaffleOrder(ANN, OPEN, REQUEST);
    private static final CancelRaffleOrder CANCEL = new CancelRaffleOrder(ANN, OPEN, REQUEST);
    private static final ChanceSpent OPENED_WITHOUT_LIMIT = spent(OPEN, TODAY, true, false);
    private static final RaffleOrderCancelled CANCELLED = new RaffleOrderCancelled(OPEN, USER, NOW);

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
                        spent(second, TODAY, false, true),
                        drawn,
                        RaffleInMemory.won(due),
                        answered(Wish.DRAW, 2, null, List.of(OPEN, second)))
                .expectResultMessagePayload(Answer.done(
                        new DrawRequestResult(List.of(DrawResult.of(ofOpenOrder), DrawResult.of(drawn)), null)));
        assertThat(raffle.stored(OPEN)).containsExactly(CREATED, ofOpenOrder);
    }

    static Stream<AccountCommand<?>> commandsUnderKeyOfOpenOrder() {
        return Stream.of(
                new Draw(ANN, TAKEN, 1),
                new Enter(ANN, TAKEN),
                new DrawRaffleOrder(ANN, OPEN, TAKEN),
                new CancelRaffleOrder(ANN, OPEN, TAKEN));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("commandsUnderKeyOfOpenOrder")
    @DisplayName("The key under which the open order was created cannot be used for anything else.")
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
    @DisplayName(
            "An open order is drawn under its own id on the day on which that is asked for, and the answer is stored.")
    void drawnByItsId() {
        raffle.given(OPEN, CREATED);
        DrawDecisionInput due = due(raffle, OPEN, 1, 0);
        RaffleDrawn drawn = RaffleInMemory.drawn(due);
        account.given(RECHARGED_OFTEN, spentOn(LAST_MONTH), spent(OPEN, YESTERDAY, true, false))
                .when(DRAW_ORDER)
                .expectEvents(
                        new OpenOrderUsed(ACTIVITY, USER, OPEN, TODAY),
                        answered(Wish.DRAW_ORDER, 1, null, List.of(OPEN)))
                .expectResultMessagePayload(Answer.done(new DrawRequestResult(List.of(DrawResult.of(drawn)), null)));
        assertThat(raffle.stored(OPEN)).containsExactly(CREATED, drawn);
        assertThat(raffle.stored(AwardRecordId.of(OPEN))).containsExactly(RaffleInMemory.won(due));
    }

    @Test
    @DisplayName("The cancellation of the open order gives back its chance of that day and its participation.")
    void cancelled() {
        StockId participations = StockId.ofActivity(ACTIVITY);
        raffle.stock.take(participations, PARTICIPATIONS);
        raffle.given(OPEN, CREATED);
        account.given(RECHARGED, spent(OPEN, YESTERDAY, true, true))
                .when(CANCEL)
                .expectEvents(
                        new ChanceReturned(ACTIVITY, USER, OPEN, YESTERDAY),
                        answered(Wish.CANCEL, 1, null, List.of(OPEN)))
                .expectResultMessagePayload(Answer.done(OPEN));
        assertThat(raffle.stored(OPEN)).containsExactly(CREATED, CANCELLED);
        assertThat(raffle.stock.taken(participations)).isZero();
    }

    @Test
    @DisplayName("The answer to a request without a key is not stored, because that request is never repeated.")
    void withoutKey() {
        RaffleRequestIdentity once = RaffleRequestIdentity.fresh(ANN, NOW, RandomGenerator.getDefault());
        raffle.given(OPEN, CREATED);
        account.given(RECHARGED, OPENED_WITHOUT_LIMIT)
                .when(new CancelRaffleOrder(ANN, OPEN, once))
                .expectEvents(new ChanceReturned(ACTIVITY, USER, OPEN, TODAY));
    }

    @Test
    @DisplayName("The answer to the draw of an order is not stored either for a request without a key.")
    void drawnByItsIdWithoutKey() {
        raffle.given(OPEN, CREATED);
        account.given(RECHARGED, OPENED)
                .when(new DrawRaffleOrder(
                        ANN, OPEN, RaffleRequestIdentity.fresh(ANN, NOW, RandomGenerator.getDefault())))
                .expectEvents(new OpenOrderUsed(ACTIVITY, USER, OPEN, TODAY));
    }

    @Test
    @DisplayName("An order can be cancelled when its activity is closed, because nobody has used its chance.")
    void cancelledWhenClosed() {
        raffle.close().given(OPEN, CREATED);
        account.given(RECHARGED, OPENED_WITHOUT_LIMIT)
                .when(CANCEL)
                .expectEvents(
                        new ChanceReturned(ACTIVITY, USER, OPEN, TODAY), answered(Wish.CANCEL, 1, null, List.of(OPEN)));
    }

    /** The events of an account whose user has taken and cancelled as many orders today as the limit allows. */
    private static List<Object> manyCancelled(Object... more) {
        List<Object> events = new ArrayList<>(List.of(RECHARGED));
        for (int i = 0; i < Chances.CANCELLED_PER_DAY_MAX; i++) {
            RaffleOrderId order =
                    RaffleRequestIdentity.of(ANN, "cancelled " + i).id();
            events.add(spent(order, TODAY, true, false));
            events.add(new ChanceReturned(ACTIVITY, USER, order, TODAY));
        }
        events.addAll(List.of(more));
        return events;
    }

    @Test
    @DisplayName("A user who has cancelled too many orders today can take no other one, and nothing is stored.")
    void tooManyCancelled() {
        account.given(manyCancelled())
                .when(PARTAKE)
                .expectNoEvents()
                .expectResultMessagePayload(refused(Refusal.CANCELLATION_LIMIT));
        assertThat(raffle.stock.taken(StockId.ofActivity(ACTIVITY))).isZero();
    }

    @Test
    @DisplayName("A user who has cancelled too many orders today can still draw.")
    void drawsAfterManyCancelled() {
        DrawDecisionInput due = due(raffle, REQUEST.id(), 0, 0);
        account.given(manyCancelled())
                .when(DRAW)
                .expectEvents(
                        spent(REQUEST.id(), TODAY, false, true), RaffleInMemory.drawn(due), RaffleInMemory.won(due));
    }

    @Test
    @DisplayName("A user who has cancelled too many orders today gets the order that is open, and can cancel it.")
    void openAfterManyCancelled() {
        raffle.given(OPEN, CREATED);
        account.given(manyCancelled(OPENED_WITHOUT_LIMIT)).when(PARTAKE).expectResultMessagePayload(Answer.done(OPEN));
        account.given(manyCancelled(OPENED_WITHOUT_LIMIT)).when(CANCEL).expectResultMessagePayload(Answer.done(OPEN));
    }

    static Stream<Arguments> notOpenForDraws() {
        return Stream.of(
                Arguments.of(new RaffleInMemory().close(), Refusal.ACTIVITY_NOT_OPEN),
                Arguments.of(new RaffleInMemory().pause(), Refusal.ACTIVITY_PAUSED),
                Arguments.of(new RaffleInMemory().end(), Refusal.ACTIVITY_DATES),
                Arguments.of(RaffleInMemory.withoutActivity(), Refusal.NOT_FOUND));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("notOpenForDraws")
    @DisplayName("An order is not drawn when its activity is not open.")
    void notDrawn(RaffleInMemory other, Refusal why) {
        other.given(OPEN, CREATED);
        fixture(other)
                .given(RECHARGED, OPENED)
                .when(DRAW_ORDER)
                .expectNoEvents()
                .expectResultMessagePayload(refused(why, ACTIVITY.text()));
    }

    static Stream<Arguments> endedOrders() {
        RaffleDrawn drawn = RaffleInMemory.drawn(due(new RaffleInMemory(), OPEN, 0, 0));
        return Stream.of(DRAW_ORDER, CANCEL)
                .flatMap(command -> Stream.of(
                        Arguments.of(command, Refusal.ORDER_USED, List.of(CREATED, drawn)),
                        Arguments.of(command, Refusal.ORDER_USED, List.of(drawn)),
                        Arguments.of(command, Refusal.ORDER_CANCELLED, List.of(CREATED, CANCELLED)),
                        Arguments.of(
                                command,
                                Refusal.ORDER_USED,
                                List.of(new EntryMade(OPEN, ACTIVITY, USER, YESTERDAY, true, 0, 0, NOW))),
                        Arguments.of(
                                command,
                                Refusal.NOT_FOUND,
                                List.of(new RaffleOrderRefused(
                                        OPEN, ACTIVITY, USER, 1, "QUOTA_DAY", ANN.text(), NOW, NOW))),
                        Arguments.of(
                                command,
                                Refusal.NOT_FOUND,
                                List.of(new RequestAnswered(
                                        OPEN, ACTIVITY, USER, Wish.PARTAKE, 1, List.of(REQUEST.id()), null))),
                        Arguments.of(
                                command,
                                Refusal.NOT_FOUND,
                                List.of(new RaffleOrderCreated(OPEN, ACTIVITY, new UserId("ben"), NOW))),
                        Arguments.of(command, Refusal.NOT_FOUND, List.of())));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("endedOrders")
    @DisplayName("An order that is not the open order of its account is neither drawn nor cancelled.")
    void ended(AccountCommand<?> command, Refusal why, List<RaffleEvent> order) {
        raffle.given(OPEN, order.toArray());
        account.given(RECHARGED).when(command).expectNoEvents().expectResultMessagePayload(refused(why, OPEN.text()));
    }

    static Stream<AccountCommand<?>> commandsToOrder() {
        return Stream.of(DRAW_ORDER, CANCEL);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("commandsToOrder")
    @DisplayName("Nothing is stored when the account does not know its open order yet, so that it is sent again.")
    void outOfDate(AccountCommand<?> command) {
        raffle.given(OPEN, CREATED);
        account.given(RECHARGED).when(command).expectNoEvents().expectException(ConcurrencyException.class);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("commandsToOrder")
    @DisplayName("Nothing is stored when the account does not know yet that its open order was cancelled.")
    void cancelledElsewhere(AccountCommand<?> command) {
        raffle.given(OPEN, CREATED, CANCELLED);
        account.given(RECHARGED, OPENED_WITHOUT_LIMIT)
                .when(command)
                .expectNoEvents()
                .expectException(ConcurrencyException.class);
    }
}
