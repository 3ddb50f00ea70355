package lottery.raffle;

import static lottery.raffle.RaffleInMemory.ACTIVITY;
import static lottery.raffle.RaffleInMemory.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import lottery.CommandTargets;
import lottery.activity.DrawableActivity;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.raffle.DrawRequestResult;
import lottery.api.raffle.DrawResult;
import lottery.api.raffle.RaffleCommand;
import lottery.api.raffle.RaffleCommand.CancelRaffleOrder;
import lottery.api.raffle.RaffleCommand.DrawRaffleOrder;
import lottery.api.raffle.RaffleEvent.EntryMade;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleEvent.RaffleOrderCancelled;
import lottery.api.raffle.RaffleEvent.RaffleOrderCreated;
import lottery.api.raffle.RaffleEvent.RaffleOrderRefused;
import lottery.api.raffle.RaffleEvent.RequestAnswered;
import lottery.api.raffle.RaffleEvent.Wish;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleRequestIdentity;
import org.axonframework.modelling.command.AggregateNotFoundException;
import org.axonframework.modelling.command.ConcurrencyException;
import org.axonframework.test.aggregate.AggregateTestFixture;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests the order alone. The fixture shows among its events the award and the answer that it creates. {@link Bookings}
 * replaces its account. {@code ActivityAccountTest} tests the account's side, and {@code OrdersTest} both together.
 */
@DisplayName("The aggregate of a raffle order")
class RaffleOrderTest {

    private static final AccountId ANN = new AccountId(ACTIVITY, new UserId("ann"));
    private static final RaffleRequestIdentity TAKEN = RaffleRequestIdentity.of(ANN, "take");
    private static final RaffleOrderId ID = TAKEN.id();
    private static final RaffleRequestIdentity REQUEST = RaffleRequestIdentity.of(ANN, "request");
    private static final PriorDraws BEFORE = new PriorDraws(5, 1, Map.of());

    private static final RaffleOrderCreated CREATED =
            new RaffleOrderCreated(ID, ACTIVITY, ANN.userId(), Instant.parse("2026-11-20T04:00:00Z"));
    private static final RaffleOrderCancelled CANCELLED = new RaffleOrderCancelled(ID, ANN.userId(), NOW);

    private static final DrawRaffleOrder DRAW = new DrawRaffleOrder(ID, ANN, REQUEST);
    private static final CancelRaffleOrder CANCEL = new CancelRaffleOrder(ID, ANN, REQUEST);

    /** Records what is booked. */
    private static final class Bookings implements AccountOutcomeBooker {

        private final List<String> made = new ArrayList<>();
        private boolean isOutOfDate;

        @Override
        public PriorDraws use(AccountId accountId, RaffleOrderId orderId, DrawableActivity activity) {
            book("use", accountId, orderId);
            return BEFORE;
        }

        @Override
        public void cancel(AccountId accountId, RaffleOrderId orderId) {
            book("cancel", accountId, orderId);
        }

        @Override
        public void countWin(AccountId accountId, RaffleOrderId orderId, int awardId) {
            book("count " + awardId + " for", accountId, orderId);
        }

        private void book(String what, AccountId accountId, RaffleOrderId orderId) {
            if (isOutOfDate) {
                throw new ConcurrencyException("another node was faster");
            }
            made.add(what + " " + orderId + " of " + accountId);
        }
    }

    private final RaffleInMemory raffle = new RaffleInMemory();
    private final Bookings bookings = new Bookings();

    private final FixtureConfiguration<RaffleOrder> order = in(raffle);

    private final DrawDecisionInput due = new DrawDecisionInput(
            ANN, ID, BEFORE, raffle.activities.findOpen(ACTIVITY).orThrow());
    private final RaffleDrawn drawn = RaffleInMemory.drawn(due);

    private FixtureConfiguration<RaffleOrder> in(RaffleInMemory other) {
        return new AggregateTestFixture<>(RaffleOrder.class)
                .registerCommandTargetResolver(new CommandTargets())
                .registerInjectableResource(other.activities)
                .registerInjectableResource(other.drawing)
                .registerInjectableResource(bookings)
                .registerInjectableResource(other.clock);
    }

    private static RequestAnswered answered(Wish wish) {
        return new RequestAnswered(REQUEST.id(), ACTIVITY, ANN.userId(), wish, 1, List.of(ID), null);
    }

    static Stream<RaffleCommand<?>> commands() {
        return Stream.of(DRAW, CANCEL);
    }

    private static Answer<?> refused(Refusal why) {
        return Answer.no(new Refused(why, ID.text()));
    }

    @Test
    @DisplayName(
            "An open order is drawn once its account has booked that, and then its award and the answer are stored.")
    void drawn() {
        order.given(CREATED)
                .when(DRAW)
                .expectEvents(drawn, RaffleInMemory.won(due), answered(Wish.DRAW_ORDER))
                .expectResultMessagePayload(Answer.done(new DrawRequestResult(List.of(DrawResult.of(drawn)), null)));
        assertThat(bookings.made).containsExactly("use " + ID + " of " + ANN);
    }

    @Test
    @DisplayName("An open order is cancelled once its account has booked that, and then the answer is stored.")
    void cancelled() {
        order.given(CREATED)
                .when(CANCEL)
                .expectEvents(CANCELLED, answered(Wish.CANCEL))
                .expectResultMessagePayload(Answer.done(ID));
        assertThat(bookings.made).containsExactly("cancel " + ID + " of " + ANN);
    }

    @Test
    @DisplayName("The answer to a request without a key is not stored, because that request is never repeated.")
    void withoutKey() {
        RaffleRequestIdentity once = RaffleRequestIdentity.fresh(ANN, NOW, RandomGenerator.getDefault());
        order.given(CREATED).when(new CancelRaffleOrder(ID, ANN, once)).expectEvents(CANCELLED);
        order.given(CREATED).when(new DrawRaffleOrder(ID, ANN, once)).expectEvents(drawn, RaffleInMemory.won(due));
    }

    @Test
    @DisplayName("An order can be cancelled when its activity is closed, because nobody has used its chance.")
    void cancelledWhenClosed() {
        in(new RaffleInMemory().close()).given(CREATED).when(CANCEL).expectEvents(CANCELLED, answered(Wish.CANCEL));
    }

    private void assertNotDrawn(RaffleInMemory other, Refusal why) {
        in(other)
                .given(CREATED)
                .when(DRAW)
                .expectNoEvents()
                .expectResultMessagePayload(Answer.no(new Refused(why, ACTIVITY.text())));
        assertThat(bookings.made).isEmpty();
    }

    @Test
    @DisplayName("An order is not drawn when its activity is closed, and its account books nothing.")
    void notDrawnWhenClosed() {
        assertNotDrawn(new RaffleInMemory().close(), Refusal.ACTIVITY_NOT_OPEN);
    }

    @Test
    @DisplayName("An order is not drawn while its activity is paused.")
    void notDrawnInPause() {
        assertNotDrawn(new RaffleInMemory().pause(), Refusal.ACTIVITY_PAUSED);
    }

    @Test
    @DisplayName("An order is not drawn after the last day of its activity.")
    void notDrawnWhenOver() {
        assertNotDrawn(new RaffleInMemory().end(), Refusal.ACTIVITY_DATES);
    }

    @Test
    @DisplayName("An order is not drawn if its activity does not exist.")
    void notDrawnWithoutActivity() {
        assertNotDrawn(RaffleInMemory.withoutActivity(), Refusal.NOT_FOUND);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("commands")
    @DisplayName("An order that was drawn is neither drawn nor cancelled.")
    void used(RaffleCommand<?> command) {
        order.given(CREATED, drawn)
                .when(command)
                .expectNoEvents()
                .expectResultMessagePayload(refused(Refusal.ORDER_USED));
        order.given(drawn).when(command).expectNoEvents().expectResultMessagePayload(refused(Refusal.ORDER_USED));
        assertThat(bookings.made).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("commands")
    @DisplayName("An order that was cancelled is neither drawn nor cancelled.")
    void cancelledBefore(RaffleCommand<?> command) {
        order.given(CREATED, CANCELLED)
                .when(command)
                .expectNoEvents()
                .expectResultMessagePayload(refused(Refusal.ORDER_CANCELLED));
        assertThat(bookings.made).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("commands")
    @DisplayName("An order that is an entry of a pool is neither drawn nor cancelled.")
    void entered(RaffleCommand<?> command) {
        order.given(new EntryMade(ID, ACTIVITY, ANN.userId(), LocalDate.of(2026, 11, 20), 1, 0, 0, NOW))
                .when(command)
                .expectNoEvents()
                .expectResultMessagePayload(refused(Refusal.ORDER_USED));
        assertThat(bookings.made).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("commands")
    @DisplayName("An order that was refused after its wait in the queue is not found.")
    void refusedInQueue(RaffleCommand<?> command) {
        order.given(new RaffleOrderRefused(ID, ACTIVITY, ANN.userId(), 1, "QUOTA_DAY", ANN.text(), NOW, NOW))
                .when(command)
                .expectNoEvents()
                .expectResultMessagePayload(refused(Refusal.NOT_FOUND));
        assertThat(bookings.made).isEmpty();
    }

    static Stream<RaffleCommand<?>> commandsOfBen() {
        AccountId ben = new AccountId(ACTIVITY, new UserId("ben"));
        RaffleRequestIdentity request = RaffleRequestIdentity.of(ben, "request");
        return Stream.of(new DrawRaffleOrder(ID, ben, request), new CancelRaffleOrder(ID, ben, request));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("commandsOfBen")
    @DisplayName("An order of somebody else is not found.")
    void ofSomebodyElse(RaffleCommand<?> command) {
        order.given(CREATED).when(command).expectNoEvents().expectResultMessagePayload(refused(Refusal.NOT_FOUND));
        assertThat(bookings.made).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("commands")
    @DisplayName("An id that the answer to a request uses is no order.")
    void answerIsNoOrder(RaffleCommand<?> command) {
        order.given(new RequestAnswered(ID, ACTIVITY, ANN.userId(), Wish.PARTAKE, 1, List.of(REQUEST.id()), null))
                .when(command)
                .expectNoEvents()
                .expectResultMessagePayload(refused(Refusal.NOT_FOUND));
        assertThat(bookings.made).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("commands")
    @DisplayName("An order that was never created is not found by the repository.")
    void unknown(RaffleCommand<?> command) {
        order.givenNoPriorActivity().when(command).expectNoEvents().expectException(AggregateNotFoundException.class);
    }

    static Stream<RaffleCommand<?>> commandsUnderItsOwnKey() {
        return Stream.of(new DrawRaffleOrder(ID, ANN, TAKEN), new CancelRaffleOrder(ID, ANN, TAKEN));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("commandsUnderItsOwnKey")
    @DisplayName("The key under which an order was created cannot be used for its draw or its cancellation.")
    void keyReused(RaffleCommand<?> command) {
        order.given(CREATED).when(command).expectNoEvents().expectResultMessagePayload(refused(Refusal.KEY_REUSED));
        assertThat(bookings.made).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("commands")
    @DisplayName("Nothing is stored when the account turns out to be out of date, so that the command is sent again.")
    void accountOutOfDate(RaffleCommand<?> command) {
        bookings.isOutOfDate = true;
        order.given(CREATED).when(command).expectNoEvents().expectException(ConcurrencyException.class);
    }
}
