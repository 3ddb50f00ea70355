package lottery.recharge;

import static lottery.raffle.RaffleInMemory.ACTIVITY;
import static lottery.raffle.RaffleInMemory.BUNDLE;
import static lottery.raffle.RaffleInMemory.DAILY_SKU;
import static lottery.raffle.RaffleInMemory.LIMITED_SKU;
import static lottery.raffle.RaffleInMemory.NOW;
import static lottery.raffle.RaffleInMemory.PRICED_SKU;
import static lottery.raffle.RaffleInMemory.SKU;
import static org.assertj.core.api.Assertions.assertThat;
import static org.axonframework.test.matchers.Matchers.matches;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import lottery.CommandTargets;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.SubmissionFlaw;
import lottery.api.SubmissionFlaw.FlawKind;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.account.RechargeCommand.CloseRecharge;
import lottery.api.account.RechargeCommand.OrderRecharge;
import lottery.api.account.RechargeEvent.RechargeClosed;
import lottery.api.account.RechargeEvent.RechargeCompleted;
import lottery.api.account.RechargeEvent.RechargeOrdered;
import lottery.api.account.RechargeId;
import lottery.api.account.RechargeResult;
import lottery.api.account.RechargeResult.RechargeState;
import lottery.api.activity.SkuId;
import lottery.api.activity.StockId;
import lottery.raffle.RaffleInMemory;
import org.axonframework.modelling.command.AggregateNotFoundException;
import org.axonframework.test.aggregate.AggregateTestFixture;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.axonframework.test.aggregate.ResultValidator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code AccountRechargeTest} has the completion, which is a command to the account. */
@DisplayName("A recharge that is paid later keeps a unit of its SKU, until it is completed or closed.")
class RechargeOrderTest {

    private static final UserId USER = new UserId("ann");
    private static final AccountId ANN = new AccountId(ACTIVITY, USER);
    private static final RechargeId ID = RechargeId.of(USER, "number");
    private static final StockId UNITS = StockId.ofSku(ACTIVITY, LIMITED_SKU);
    private static final RechargeOrdered ORDERED = new RechargeOrdered(
            ID, ACTIVITY, USER, LIMITED_SKU, "number", BUNDLE, true, NOW.plus(Duration.ofMinutes(10)), null);
    private static final RechargeClosed CLOSED = new RechargeClosed(ID, USER);
    private static final CloseRecharge CLOSE = new CloseRecharge(ID);

    private final RaffleInMemory raffle = new RaffleInMemory();
    private final FixtureConfiguration<RechargeOrder> recharge = in(raffle);

    private static FixtureConfiguration<RechargeOrder> in(RaffleInMemory raffle) {
        InstantSource clock = raffle.clock;
        return new AggregateTestFixture<>(RechargeOrder.class)
                .registerCommandTargetResolver(new CommandTargets())
                .registerInjectableResource(SkusInLog.of(raffle))
                .registerInjectableResource(clock);
    }

    /** Checks that a command has thrown its refusal, and has stored nothing. */
    private static void assertThrown(ResultValidator<?> result, Refusal why, String subject) {
        result.expectNoEvents().expectException(RefusedException.class).expectExceptionMessage(why + " " + subject);
    }

    private static OrderRecharge order(SkuId sku) {
        return new OrderRecharge(ANN, sku, "number");
    }

    private static Answer<RechargeResult> told(RechargeState state) {
        return Answer.done(new RechargeResult(ID, ANN, LIMITED_SKU, state, BUNDLE, ORDERED.payBy(), null));
    }

    @Test
    @DisplayName("An ordered recharge takes a unit, and waits ten minutes for its payment.")
    void ordered() {
        recharge.givenNoPriorActivity()
                .when(order(LIMITED_SKU))
                .expectEvents(ORDERED)
                .expectResultMessagePayload(told(RechargeState.WAITING));
        assertThat(raffle.stock.taken(UNITS)).isEqualTo(1);
    }

    static Stream<Arguments> shut() {
        return Stream.of(
                Arguments.of(Refusal.ACTIVITY_NOT_OPEN, new RaffleInMemory().close()),
                Arguments.of(Refusal.ACTIVITY_PAUSED, new RaffleInMemory().pause()),
                Arguments.of(Refusal.ACTIVITY_DATES, new RaffleInMemory().end()),
                Arguments.of(Refusal.NOT_FOUND, RaffleInMemory.withoutActivity()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("shut")
    @DisplayName("No recharge is ordered if its activity is closed, paused, over or unknown.")
    void activityShut(Refusal why, RaffleInMemory shut) {
        assertThrown(in(shut).givenNoPriorActivity().when(order(SKU)), why, ACTIVITY.text());
    }

    @Test
    @DisplayName("No recharge is ordered with a SKU that the activity does not have.")
    void skuUnknown() {
        SkuId unknown = new SkuId(99);
        assertThrown(recharge.givenNoPriorActivity().when(order(unknown)), Refusal.NOT_FOUND, unknown.toString());
    }

    @Test
    @DisplayName("No recharge is ordered with a SKU that is sold out.")
    void skuSoldOut() {
        raffle.stock.take(UNITS, 1);
        assertThrown(
                recharge.givenNoPriorActivity().when(order(LIMITED_SKU)), Refusal.SKU_SOLD_OUT, LIMITED_SKU.toString());
    }

    static Stream<Arguments> notLater() {
        return Stream.of(
                Arguments.of(PRICED_SKU, FlawKind.PAID_AT_ONCE), Arguments.of(DAILY_SKU, FlawKind.LIMITED_PER_USER));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("notLater")
    @DisplayName("A SKU that costs credits, or that each user can have only so often, is not paid later.")
    void notPaidLater(SkuId sku, FlawKind flaw) {
        Refused refused = new Refused(Refusal.INVALID, "/payLater", List.of(new SubmissionFlaw("/payLater", flaw)));
        recharge.givenNoPriorActivity()
                .when(order(sku))
                .expectNoEvents()
                .expectException(RefusedException.class)
                .expectException(
                        matches((RefusedException thrown) -> thrown.refused().equals(refused)));
        assertThat(raffle.stock.taken(StockId.ofSku(ACTIVITY, sku))).isZero();
    }

    @Test
    @DisplayName("A closed recharge gives its unit back.")
    void closed() {
        raffle.stock.take(UNITS, 1);
        recharge.given(ORDERED).when(CLOSE).expectEvents(CLOSED).expectResultMessagePayload(told(RechargeState.CLOSED));
        assertThat(raffle.stock.taken(UNITS)).isZero();
    }

    @Test
    @DisplayName("A recharge that is closed or completed stays as it is, with its unit.")
    void notClosed() {
        RechargeCompleted completed =
                new RechargeCompleted(ID, ACTIVITY, USER, LIMITED_SKU, "number", BUNDLE, true, null);
        raffle.stock.take(UNITS, 1);
        recharge.given(ORDERED, completed)
                .when(CLOSE)
                .expectNoEvents()
                .expectResultMessagePayload(told(RechargeState.COMPLETED));
        assertThat(raffle.stock.taken(UNITS)).isEqualTo(1);
        recharge.given(ORDERED, CLOSED)
                .when(CLOSE)
                .expectNoEvents()
                .expectResultMessagePayload(told(RechargeState.CLOSED));
    }

    @Test
    @DisplayName("A recharge that was never ordered is not found by the repository.")
    void unknown() {
        recharge.givenNoPriorActivity().when(CLOSE).expectNoEvents().expectException(AggregateNotFoundException.class);
    }
}
