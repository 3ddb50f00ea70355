package lottery.account;

import static lottery.account.AccountFixture.ANN;
import static lottery.account.AccountFixture.RECHARGED;
import static lottery.account.AccountFixture.TODAY;
import static lottery.account.AccountFixture.USER;
import static lottery.account.AccountFixture.YESTERDAY;
import static lottery.account.AccountFixture.assertThrown;
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
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.math.BigDecimal;
import java.util.Optional;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.account.AccountCommand.CompleteRecharge;
import lottery.api.account.AccountCommand.RechargeAccount;
import lottery.api.account.AccountEvent.AccountRecharged;
import lottery.api.account.AccountEvent.LimitedSkuTaken;
import lottery.api.account.RechargeEvent.RechargeClosed;
import lottery.api.account.RechargeEvent.RechargeCompleted;
import lottery.api.account.RechargeEvent.RechargeOrdered;
import lottery.api.account.RechargeId;
import lottery.api.account.RechargeResult;
import lottery.api.account.RechargeResult.RechargeState;
import lottery.api.activity.SkuId;
import lottery.api.activity.StockId;
import lottery.api.credit.CreditAccountId;
import lottery.api.credit.CreditEvent.CreditsBooked;
import lottery.raffle.RaffleInMemory;
import lottery.store.commit.UniqueKeyClaim;
import org.axonframework.modelling.command.AggregateNotFoundException;
import org.axonframework.modelling.command.ConcurrencyException;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A recharge brings the chances of its SKU once.")
class AccountRechargeTest {

    private static final RechargeId RECHARGE = RechargeId.of(USER, "number");
    private static final RechargeOrdered RECHARGE_ORDERED =
            new RechargeOrdered(RECHARGE, ACTIVITY, USER, SKU, "number", BUNDLE, false, NOW.plusSeconds(600), null);

    private static final CompleteRecharge COMPLETE = new CompleteRecharge(ANN, RECHARGE);
    private static final SkuId UNKNOWN_SKU = new SkuId(99);
    private static final CreditAccountId CREDITS = new CreditAccountId(USER);
    private static final AccountRecharged BOOKED = new AccountRecharged(ACTIVITY, USER, RECHARGE, BUNDLE);

    private final RaffleInMemory raffle = new RaffleInMemory();
    private final FixtureConfiguration<ActivityAccount> account = fixture(raffle);

    @Test
    @DisplayName("An account begins with its first recharge.")
    void recharged() {
        account.givenNoPriorActivity()
                .when(recharge(SKU))
                .expectEvents(BOOKED, completed(SKU, false))
                .expectResultMessagePayload(Answer.done(told(SKU)));
    }

    @Test
    @DisplayName("A recharge takes a unit of a SKU that is limited.")
    void rechargedWithLimitedSku() {
        account.given(RECHARGED).when(recharge(LIMITED_SKU)).expectEvents(BOOKED, completed(LIMITED_SKU, true));
        assertThat(raffle.stock.taken(StockId.ofSku(ACTIVITY, LIMITED_SKU))).isEqualTo(1);
    }

    @Test
    @DisplayName("A recharge with a SKU that one user can have once a day is counted, and refused on the same day.")
    void rechargedOncePerDay() {
        LimitedSkuTaken taken = new LimitedSkuTaken(ACTIVITY, USER, RECHARGE, DAILY_SKU, TODAY);
        account.given(RECHARGED)
                .when(recharge(DAILY_SKU))
                .expectEvents(BOOKED, taken, completed(DAILY_SKU, false))
                .expectResultMessagePayload(Answer.done(told(DAILY_SKU)));
        account.given(RECHARGED, new LimitedSkuTaken(ACTIVITY, USER, RECHARGE, DAILY_SKU, YESTERDAY))
                .when(recharge(DAILY_SKU))
                .expectEvents(BOOKED, taken, completed(DAILY_SKU, false));
        account.given(RECHARGED, taken)
                .when(new RechargeAccount(ANN, DAILY_SKU, "another number"))
                .expectNoEvents()
                .expectResultMessagePayload(refused(Refusal.SKU_LIMIT, DAILY_SKU.toString()));
    }

    @Test
    @DisplayName("A recharge that costs credits takes them from the user, and a unit of its SKU.")
    void purchased() {
        CreditsBooked gift = gift(BigDecimal.TEN);
        account.given(RECHARGED)
                .when(recharge(PRICED_SKU))
                .expectEvents(BOOKED, completed(PRICED_SKU, true))
                .expectResultMessagePayload(Answer.done(told(PRICED_SKU)));
        assertThat(raffle.stored(CREDITS))
                .containsExactly(
                        gift,
                        new CreditsBooked(
                                USER, 2, BigDecimal.TEN.negate(), BigDecimal.ZERO, RECHARGE.text(), null, NOW));
        verify(raffle.claims).take(new UniqueKeyClaim(CREDITS.text(), RECHARGE.text(), "2"));
    }

    @Test
    @DisplayName("An account does not begin with a recharge that is refused.")
    void refusedRechargeBeginsNothing() {
        assertThrown(
                account.givenNoPriorActivity().when(recharge(UNKNOWN_SKU)), Refusal.NOT_FOUND, UNKNOWN_SKU.toString());
    }

    @Test
    @DisplayName("A recharge with a SKU that the activity does not have is refused.")
    void skuUnknown() {
        assertRefused(account, UNKNOWN_SKU, Refusal.NOT_FOUND, UNKNOWN_SKU.toString());
    }

    @Test
    @DisplayName("A recharge with a SKU that is sold out is refused, also if this process does not know that yet.")
    void skuSoldOut() {
        sellOut(LIMITED_SKU);
        assertRefused(account, LIMITED_SKU, Refusal.SKU_SOLD_OUT, LIMITED_SKU.toString());
        raffle.stock.fallBehind();
        assertRefused(account, LIMITED_SKU, Refusal.SKU_SOLD_OUT, LIMITED_SKU.toString());
    }

    @Test
    @DisplayName("A payment is rolled back if the SKU turns out to be sold out after it.")
    void soldOutAfterPayment() {
        CreditsBooked gift = gift(BigDecimal.TEN);
        sellOut(PRICED_SKU);
        raffle.stock.fallBehind();
        assertThrown(account.given(RECHARGED).when(recharge(PRICED_SKU)), Refusal.SKU_SOLD_OUT, PRICED_SKU.toString());
        assertThat(raffle.stored(CREDITS)).containsExactly(gift);
    }

    @Test
    @DisplayName("A recharge that costs credits is refused to a user who has none, or too few.")
    void creditsShort() {
        assertRefused(account, PRICED_SKU, Refusal.CREDITS_SHORT, CREDITS + " (0)");
        CreditsBooked gift = gift(new BigDecimal("9.5"));
        assertRefused(account, PRICED_SKU, Refusal.CREDITS_SHORT, CREDITS + " (9.5)");
        assertThat(raffle.stored(CREDITS)).containsExactly(gift);
    }

    @Test
    @DisplayName("A business number that has paid for a recharge does not pay for another one.")
    void paidBefore() {
        CreditsBooked gift = gift(BigDecimal.TEN);
        when(raffle.claims.holderOf(CREDITS.text(), RECHARGE.text())).thenReturn(Optional.of("1"));
        assertRefused(account, PRICED_SKU, Refusal.KEY_REUSED, RECHARGE.text());
        assertThat(raffle.stored(CREDITS)).containsExactly(gift);
    }

    @Test
    @DisplayName("While the activity is paused, a recharge is refused only if it costs credits.")
    void rechargeInPause() {
        raffle.pause();
        CreditsBooked gift = gift(BigDecimal.TEN);
        assertRefused(account, PRICED_SKU, Refusal.ACTIVITY_PAUSED, ACTIVITY.text());
        assertThat(raffle.stored(CREDITS)).containsExactly(gift);
        account.given(RECHARGED).when(recharge(SKU)).expectEvents(BOOKED, completed(SKU, false));
    }

    @Test
    @DisplayName("A recharge is refused if the activity does not exist.")
    void rechargeWithoutActivity() {
        assertRefused(fixture(RaffleInMemory.withoutActivity()), SKU, Refusal.NOT_FOUND, ACTIVITY.text());
    }

    @Test
    @DisplayName("A recharge is refused when the activity is closed.")
    void rechargeWhenClosed() {
        assertRefused(fixture(new RaffleInMemory().close()), SKU, Refusal.ACTIVITY_NOT_OPEN, ACTIVITY.text());
    }

    @Test
    @DisplayName("A recharge is refused after the last day of the activity.")
    void rechargeWhenOver() {
        assertRefused(fixture(new RaffleInMemory().end()), SKU, Refusal.ACTIVITY_DATES, ACTIVITY.text());
    }

    @Test
    @DisplayName("A recharge that was waiting for its payment brings its chances once.")
    void rechargeCompleted() {
        raffle.given(RECHARGE, RECHARGE_ORDERED);
        Answer<?> told = Answer.done(new RechargeResult(
                RECHARGE, ANN, SKU, RechargeState.COMPLETED, BUNDLE, RECHARGE_ORDERED.payBy(), null));
        account.givenNoPriorActivity().when(COMPLETE).expectEvents(BOOKED).expectResultMessagePayload(told);
        assertThat(raffle.stored(RECHARGE)).containsExactly(RECHARGE_ORDERED, completed(SKU, false));
        account.given(BOOKED).when(COMPLETE).expectNoEvents().expectResultMessagePayload(told);
        assertThat(raffle.stored(RECHARGE)).containsExactly(RECHARGE_ORDERED, completed(SKU, false));
    }

    @Test
    @DisplayName("If another node has completed it since an account without events was read, it is decided again.")
    void rechargeCompletedElsewhere() {
        raffle.given(RECHARGE, RECHARGE_ORDERED, completed(SKU, false));
        account.givenNoPriorActivity().when(COMPLETE).expectNoEvents().expectException(ConcurrencyException.class);
    }

    @Test
    @DisplayName("A recharge that was paid for brings its chances also when the activity is closed.")
    void rechargeCompletedWhenClosed() {
        raffle.close();
        raffle.given(RECHARGE, RECHARGE_ORDERED);
        account.given(RECHARGED).when(COMPLETE).expectEvents(BOOKED);
    }

    @Test
    @DisplayName("A recharge that was closed without its payment brings nothing.")
    void rechargeClosed() {
        RechargeClosed closed = new RechargeClosed(RECHARGE, USER);
        raffle.given(RECHARGE, RECHARGE_ORDERED, closed);
        assertThrown(account.given(RECHARGED).when(COMPLETE), Refusal.RECHARGE_CLOSED, RECHARGE.text());
        assertThat(raffle.stored(RECHARGE)).containsExactly(RECHARGE_ORDERED, closed);
    }

    @Test
    @DisplayName("A recharge that was never ordered is not found by the repository.")
    void rechargeUnknown() {
        account.given(RECHARGED).when(COMPLETE).expectNoEvents().expectException(AggregateNotFoundException.class);
    }

    private static void assertRefused(
            FixtureConfiguration<ActivityAccount> account, SkuId sku, Refusal why, String subject) {
        account.given(RECHARGED).when(recharge(sku)).expectNoEvents().expectResultMessagePayload(refused(why, subject));
    }

    private CreditsBooked gift(BigDecimal credits) {
        CreditsBooked gift = new CreditsBooked(USER, 1, credits, credits, "gift", null, NOW);
        raffle.given(CREDITS, gift);
        return gift;
    }

    private void sellOut(SkuId sku) {
        raffle.stock.take(StockId.ofSku(ACTIVITY, sku), 1);
    }

    private static RechargeAccount recharge(SkuId sku) {
        return new RechargeAccount(ANN, sku, "number");
    }

    private static RechargeResult told(SkuId sku) {
        return new RechargeResult(RECHARGE, ANN, sku, RechargeState.COMPLETED, BUNDLE, null, null);
    }

    private static RechargeCompleted completed(SkuId sku, boolean unitTaken) {
        return new RechargeCompleted(RECHARGE, ACTIVITY, USER, sku, "number", BUNDLE, unitTaken, null);
    }
}
