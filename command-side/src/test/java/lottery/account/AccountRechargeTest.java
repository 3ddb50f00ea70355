package lottery.account;

import static lottery.account.AccountFixture.ANN;
import static lottery.account.AccountFixture.RECHARGED;
import static lottery.account.AccountFixture.TODAY;
import static lottery.account.AccountFixture.USER;
import static lottery.account.AccountFixture.YESTERDAY;
import static lottery.account.AccountFixture.fixture;
import static lottery.account.AccountFixture.refused;
import static lottery.raffle.RaffleInMemory.ACTIVITY;
import static lottery.raffle.RaffleInMemory.BUNDLE;
import static lottery.raffle.RaffleInMemory.DAILY_SKU;
import static lottery.raffle.RaffleInMemory.LIMITED_SKU;
import static lottery.raffle.RaffleInMemory.NOW;
import static lottery.raffle.RaffleInMemory.PRICED_SKU;
import static lottery.raffle.RaffleInMemory.SKU;
import static org.assertj.core.api.Assertions.assertThat;

import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.account.AccountCommand.CompleteRecharge;
import lottery.api.account.AccountCommand.RechargeAccount;
import lottery.api.account.AccountEvent.AccountRecharged;
import lottery.api.account.AccountEvent.LimitedSkuTaken;
import lottery.api.account.RechargeEvent.RechargeClosed;
import lottery.api.account.RechargeEvent.RechargeCompleted;
import lottery.api.account.RechargeEvent.RechargeOrdered;
import lottery.api.account.RechargeId;
import lottery.api.account.Recharged;
import lottery.api.account.Recharged.RechargeState;
import lottery.api.activity.SkuId;
import lottery.api.credit.CreditAccountId;
import lottery.raffle.RaffleInMemory;
import lottery.stock.StockId;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A recharge brings the chances of its SKU once.")
class AccountRechargeTest {

    private static final RechargeId RECHARGE = RechargeId.of(USER, "number");
    private static final RechargeOrdered RECHARGE_ORDERED =
            new RechargeOrdered(RECHARGE, ACTIVITY, USER, SKU, "number", BUNDLE, null, NOW.plusSeconds(600));

    private static final AccountRecharged BOOKED = new AccountRecharged(ACTIVITY, USER, RECHARGE, BUNDLE);

    private final RaffleInMemory raffle = new RaffleInMemory();
    private final FixtureConfiguration<ActivityAccount> account = fixture(raffle);

    @Test
    @DisplayName("An account begins with its first recharge.")
    void recharged() {
        account.givenNoPriorActivity()
                .when(recharge(SKU))
                .expectEvents(BOOKED, completed(SKU, null))
                .expectResultMessagePayload(Answer.done(told(SKU)));
    }

    @Test
    @DisplayName("A recharge takes a unit of a SKU that is limited.")
    void rechargedWithLimitedSku() {
        account.given(RECHARGED).when(recharge(LIMITED_SKU)).expectEvents(BOOKED, completed(LIMITED_SKU, 1));
        assertThat(raffle.stock.holders(StockId.ofSku(ACTIVITY, LIMITED_SKU))).containsEntry(1, RECHARGE.text());
    }

    @Test
    @DisplayName("A recharge with a SKU that one user can have once a day is counted, and refused on the same day.")
    void rechargedOncePerDay() {
        LimitedSkuTaken taken = new LimitedSkuTaken(ACTIVITY, USER, RECHARGE, DAILY_SKU, TODAY);
        account.given(RECHARGED)
                .when(recharge(DAILY_SKU))
                .expectEvents(BOOKED, taken, completed(DAILY_SKU, null))
                .expectResultMessagePayload(Answer.done(told(DAILY_SKU)));
        account.given(RECHARGED, new LimitedSkuTaken(ACTIVITY, USER, RECHARGE, DAILY_SKU, YESTERDAY))
                .when(recharge(DAILY_SKU))
                .expectEvents(BOOKED, taken, completed(DAILY_SKU, null));
        account.given(RECHARGED, taken)
                .when(new RechargeAccount(ANN, DAILY_SKU, "another number"))
                .expectNoEvents()
                .expectResultMessagePayload(refused(Refusal.SKU_LIMIT, DAILY_SKU.toString()));
    }

    @Test
    @DisplayName("An account does not begin with a recharge that is refused.")
    void refusedRechargeBeginsNothing() {
        account.givenNoPriorActivity()
                .when(recharge(new SkuId(99)))
                .expectNoEvents()
                .expectException(RefusedException.class);
    }

    @Test
    @DisplayName("A recharge with a SKU that the activity does not have is refused.")
    void skuUnknown() {
        account.given(RECHARGED)
                .when(recharge(new SkuId(99)))
                .expectNoEvents()
                .expectResultMessagePayload(refused(Refusal.NOT_FOUND, new SkuId(99).toString()));
    }

    @Test
    @DisplayName("A recharge with a SKU that is sold out is refused.")
    void skuSoldOut() {
        raffle.stock.take(StockId.ofSku(ACTIVITY, LIMITED_SKU), 1, "somebody else");
        account.given(RECHARGED)
                .when(recharge(LIMITED_SKU))
                .expectNoEvents()
                .expectResultMessagePayload(refused(Refusal.SKU_SOLD_OUT, LIMITED_SKU.toString()));
    }

    @Test
    @DisplayName("A recharge that costs credits is refused to a user who has none.")
    void creditsShort() {
        account.given(RECHARGED)
                .when(recharge(PRICED_SKU))
                .expectNoEvents()
                .expectResultMessagePayload(refused(Refusal.CREDITS_SHORT, new CreditAccountId(USER).text() + " (0)"));
    }

    @Test
    @DisplayName("A recharge is refused when the activity is closed.")
    void rechargeWhenClosed() {
        RaffleInMemory closed = new RaffleInMemory();
        closed.close();
        fixture(closed)
                .given(RECHARGED)
                .when(recharge(SKU))
                .expectNoEvents()
                .expectResultMessagePayload(refused(Refusal.ACTIVITY_NOT_OPEN, ACTIVITY.text()));
    }

    @Test
    @DisplayName("A recharge is refused after the last day of the activity.")
    void rechargeWhenOver() {
        RaffleInMemory over = new RaffleInMemory();
        over.end();
        fixture(over)
                .given(RECHARGED)
                .when(recharge(SKU))
                .expectNoEvents()
                .expectResultMessagePayload(refused(Refusal.ACTIVITY_DATES, ACTIVITY.text()));
    }

    @Test
    @DisplayName("A recharge that was waiting for its payment brings its chances once.")
    void rechargeCompleted() {
        CompleteRecharge complete = new CompleteRecharge(ANN, RECHARGE);
        raffle.given(RECHARGE, RECHARGE_ORDERED);
        Answer<?> told = Answer.done(
                new Recharged(RECHARGE, ANN, SKU, RechargeState.COMPLETED, BUNDLE, RECHARGE_ORDERED.payBy()));
        account.givenNoPriorActivity().when(complete).expectEvents(BOOKED).expectResultMessagePayload(told);
        assertThat(raffle.stored(RECHARGE)).containsExactly(RECHARGE_ORDERED, completed(SKU, null));
        account.given(BOOKED).when(complete).expectNoEvents().expectResultMessagePayload(told);
    }

    @Test
    @DisplayName("A recharge that was closed without its payment brings nothing.")
    void rechargeClosed() {
        raffle.given(RECHARGE, RECHARGE_ORDERED, new RechargeClosed(RECHARGE, USER));
        account.given(RECHARGED)
                .when(new CompleteRecharge(ANN, RECHARGE))
                .expectNoEvents()
                .expectException(RefusedException.class);
    }

    private static RechargeAccount recharge(SkuId sku) {
        return new RechargeAccount(ANN, sku, "number");
    }

    private static Recharged told(SkuId sku) {
        return new Recharged(RECHARGE, ANN, sku, RechargeState.COMPLETED, BUNDLE, null);
    }

    private static RechargeCompleted completed(SkuId sku, @Nullable Integer unit) {
        return new RechargeCompleted(RECHARGE, ACTIVITY, USER, sku, "number", BUNDLE, unit);
    }
}
