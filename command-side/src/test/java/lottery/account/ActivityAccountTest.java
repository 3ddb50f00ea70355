package lottery.account;

import static lottery.raffle.RaffleInMemory.ACTIVITY;
import static lottery.raffle.RaffleInMemory.BUNDLE;
import static lottery.raffle.RaffleInMemory.DAILY_SKU;
import static lottery.raffle.RaffleInMemory.LIMITED_SKU;
import static lottery.raffle.RaffleInMemory.NOW;
import static lottery.raffle.RaffleInMemory.PARTICIPATIONS;
import static lottery.raffle.RaffleInMemory.PRICED_SKU;
import static lottery.raffle.RaffleInMemory.SKU;
import static org.assertj.core.api.Assertions.assertThat;
import static org.axonframework.test.matchers.Matchers.payloadsMatching;
import static org.axonframework.test.matchers.Matchers.predicate;
import static org.hamcrest.Matchers.containsString;

import java.time.InstantSource;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import lottery.CommandTargets;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.account.AccountCommand;
import lottery.api.account.AccountCommand.CompensateAward;
import lottery.api.account.AccountCommand.CompleteRecharge;
import lottery.api.account.AccountCommand.Draw;
import lottery.api.account.AccountCommand.Enter;
import lottery.api.account.AccountCommand.Partake;
import lottery.api.account.AccountCommand.RechargeAccount;
import lottery.api.account.AccountEvent.AccountOpened;
import lottery.api.account.AccountEvent.AccountRecharged;
import lottery.api.account.AccountEvent.ChanceReturned;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountEvent.LimitedSkuTaken;
import lottery.api.account.AccountEvent.OpenOrderUsed;
import lottery.api.account.AccountId;
import lottery.api.account.RechargeEvent.RechargeClosed;
import lottery.api.account.RechargeEvent.RechargeCompleted;
import lottery.api.account.RechargeEvent.RechargeOrdered;
import lottery.api.account.RechargeId;
import lottery.api.account.Recharged;
import lottery.api.account.Recharged.RechargeState;
import lottery.api.activity.ChanceBundle;
import lottery.api.activity.Sku;
import lottery.api.award.AwardEvent.AwardCompensated;
import lottery.api.award.AwardEvent.AwardGrantRejected;
import lottery.api.award.AwardEvent.AwardWon;
import lottery.api.award.AwardRecordId;
import lottery.api.award.AwardState;
import lottery.api.credit.CreditAccountId;
import lottery.api.raffle.Drawn;
import lottery.api.raffle.Draws;
import lottery.api.raffle.RaffleEvent.RaffleDrawn;
import lottery.api.raffle.RaffleEvent.RaffleOrderCreated;
import lottery.api.raffle.RaffleEvent.RequestAnswered;
import lottery.api.raffle.RaffleEvent.Wish;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.Request;
import lottery.api.raffle.Shortage;
import lottery.api.strategy.Remedy;
import lottery.award.AwardRecord;
import lottery.credit.PurseInLog;
import lottery.raffle.DueDraw;
import lottery.raffle.PriorDraws;
import lottery.raffle.RaffleInMemory;
import lottery.stock.StockId;
import org.axonframework.modelling.command.ConcurrencyException;
import org.axonframework.test.aggregate.AggregateTestFixture;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests the account alone. The fixture shows among its events those of aggregates that it creates. Aggregates that it
 * loads are in the log of {@link RaffleInMemory}, because a fixture's own store holds one aggregate. {@code OrdersTest}
 * shows that all of it is one commit.
 */
@DisplayName("The aggregate of an account")
class ActivityAccountTest {

    private static final UserId USER = new UserId("ann");
    private static final AccountId ANN = new AccountId(ACTIVITY, USER);
    private static final LocalDate TODAY = LocalDate.of(2026, 11, 21);
    private static final LocalDate YESTERDAY = TODAY.minusDays(1);
    private static final LocalDate LAST_MONTH = TODAY.minusMonths(1);

    private static final Request REQUEST = Request.of(ANN, "request");
    private static final Request TAKEN = Request.of(ANN, "take");
    private static final RaffleOrderId OPEN = TAKEN.id();
    private static final Partake PARTAKE = new Partake(ANN, REQUEST);
    private static final Draw DRAW = new Draw(ANN, REQUEST, 1);

    private static final AccountRecharged RECHARGED = recharged(BUNDLE);
    private static final AccountRecharged RECHARGED_OFTEN = recharged(new ChanceBundle(10, 10, 10));
    private static final ChanceSpent OPENED = spent(OPEN, TODAY, true, 1);
    private static final RaffleOrderCreated CREATED = new RaffleOrderCreated(OPEN, ACTIVITY, USER, NOW);

    private static final RechargeId RECHARGE = RechargeId.of(USER, "number");
    private static final RechargeOrdered RECHARGE_ORDERED =
            new RechargeOrdered(RECHARGE, ACTIVITY, USER, SKU, "number", BUNDLE, null, NOW.plusSeconds(600));

    private final RaffleInMemory raffle = new RaffleInMemory();
    private final FixtureConfiguration<ActivityAccount> account = fixture(raffle);

    private static FixtureConfiguration<ActivityAccount> fixture(RaffleInMemory raffle) {
        InstantSource clock = raffle.clock;
        return new AggregateTestFixture<>(ActivityAccount.class)
                .registerCommandTargetResolver(new CommandTargets())
                .registerInjectableResource(raffle.activities)
                .registerInjectableResource(raffle.orders)
                .registerInjectableResource(raffle.entries)
                .registerInjectableResource(clock)
                .registerInjectableResource(new ParticipationStock(raffle.stock))
                .registerInjectableResource(new SkuStock(
                        raffle.activities,
                        raffle.stock,
                        PurseInLog.of(raffle.log, clock),
                        raffle.repository(RechargeOrder.class),
                        clock))
                .registerInjectableResource(new AwardCompensator(
                        raffle.repository(AwardRecord.class),
                        raffle.orders,
                        raffle.strategies,
                        raffle.activities,
                        raffle.stock,
                        raffle.log,
                        raffle.directGrants,
                        clock));
    }

    private static AccountRecharged recharged(ChanceBundle bundle) {
        return new AccountRecharged(ACTIVITY, USER, RechargeId.of(USER, "before"), bundle);
    }

    private static ChanceSpent spent(RaffleOrderId order, LocalDate day, boolean open, @Nullable Integer unit) {
        return new ChanceSpent(ACTIVITY, USER, order, day, open, unit);
    }

    /** A chance that was spent on this day, and drawn at once. */
    private static ChanceSpent spentOn(LocalDate day) {
        return spent(Request.of(ANN, "on " + day).id(), day, false, null);
    }

    private DueDraw due(RaffleOrderId order, int before, int today) {
        return new DueDraw(
                ANN,
                order,
                new PriorDraws(before, today, Map.of()),
                raffle.activities.findOpen(ACTIVITY).orRefuse());
    }

    private static RequestAnswered answered(
            Wish wish, int count, @Nullable Shortage shortage, List<RaffleOrderId> orders) {
        return new RequestAnswered(REQUEST.id(), ACTIVITY, USER, wish, count, orders, shortage);
    }

    private static Answer<?> refused(Refusal why) {
        return refused(why, ANN.text());
    }

    private static Answer<?> refused(Refusal why, String subject) {
        return Answer.no(new Refused(why, subject));
    }

    private static RechargeAccount recharge(Sku sku) {
        return new RechargeAccount(ANN, sku, "number");
    }

    private static Recharged told(Sku sku) {
        return new Recharged(RECHARGE, ANN, sku, RechargeState.COMPLETED, BUNDLE, null);
    }

    private static RechargeCompleted completed(Sku sku, @Nullable Integer unit) {
        return new RechargeCompleted(RECHARGE, ACTIVITY, USER, sku, "number", BUNDLE, unit);
    }

    private static final AccountRecharged BOOKED = new AccountRecharged(ACTIVITY, USER, RECHARGE, BUNDLE);

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
                .when(recharge(new Sku(99)))
                .expectNoEvents()
                .expectException(RefusedException.class);
    }

    @Test
    @DisplayName("A recharge with a SKU that the activity does not have is refused.")
    void skuUnknown() {
        account.given(RECHARGED)
                .when(recharge(new Sku(99)))
                .expectNoEvents()
                .expectResultMessagePayload(refused(Refusal.NOT_FOUND, new Sku(99).toString()));
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

    @Test
    @DisplayName("Partaking spends a chance and creates an open order.")
    void partaken() {
        account.given(RECHARGED)
                .when(PARTAKE)
                .expectEvents(
                        spent(REQUEST.id(), TODAY, true, 1), new RaffleOrderCreated(REQUEST.id(), ACTIVITY, USER, NOW))
                .expectResultMessagePayload(Answer.done(REQUEST.id()));
    }

    @Test
    @DisplayName("Partaking with an open order spends nothing and is answered with that order for ever.")
    void partakenAgain() {
        account.given(RECHARGED, OPENED)
                .when(PARTAKE)
                .expectEvents(answered(Wish.PARTAKE, 1, null, List.of(OPEN)))
                .expectResultMessagePayload(Answer.done(OPEN));
    }

    @Test
    @DisplayName("Drawing spends a chance, and its order and its award begin with the draw.")
    void drawn() {
        RaffleDrawn drawn = RaffleInMemory.drawn(due(REQUEST.id(), 1, 0));
        account.given(RECHARGED_OFTEN, spentOn(YESTERDAY))
                .when(DRAW)
                .expectEvents(spent(REQUEST.id(), TODAY, false, 1), drawn, RaffleInMemory.won(due(REQUEST.id(), 1, 0)))
                .expectResultMessagePayload(Answer.done(new Draws(List.of(Drawn.of(drawn)), null)));
    }

    @Test
    @DisplayName("Drawing with an open order spends nothing, draws that order and stores it as the answer.")
    void openOrderDrawn() {
        raffle.given(OPEN, CREATED);
        DueDraw due = due(OPEN, 1, 1);
        RaffleDrawn drawn = RaffleInMemory.drawn(due);
        account.given(RECHARGED_OFTEN, spentOn(TODAY), OPENED)
                .when(DRAW)
                .expectEvents(
                        new OpenOrderUsed(ACTIVITY, USER, OPEN, TODAY), answered(Wish.DRAW, 1, null, List.of(OPEN)))
                .expectResultMessagePayload(Answer.done(new Draws(List.of(Drawn.of(drawn)), null)));
        assertThat(raffle.stored(OPEN)).containsExactly(CREATED, drawn);
        assertThat(raffle.stored(AwardRecordId.of(OPEN))).containsExactly(RaffleInMemory.won(due));
    }

    @Test
    @DisplayName("Drawing several times makes as many draws as there are chances, and stores why there were no more.")
    void severalDrawn() {
        Draw three = new Draw(ANN, REQUEST, 3);
        RaffleOrderId only = three.order(1);
        DueDraw due = due(only, 0, 0);
        account.given(RECHARGED)
                .when(three)
                .expectEvents(
                        spent(only, TODAY, false, 1),
                        RaffleInMemory.drawn(due),
                        RaffleInMemory.won(due),
                        answered(Wish.DRAW, 3, Shortage.QUOTA_DAY, List.of(only)))
                .expectResultMessagePayload(
                        Answer.done(new Draws(List.of(Drawn.of(RaffleInMemory.drawn(due))), Shortage.QUOTA_DAY)));
    }

    @Test
    @DisplayName("The answer to a draw of an open order is not stored for a request without a key.")
    void drawnWithoutKey() {
        raffle.given(OPEN, CREATED);
        account.given(RECHARGED, OPENED)
                .when(new Draw(ANN, Request.fresh(ANN, NOW, RandomGenerator.getDefault()), 1))
                .expectEvents(new OpenOrderUsed(ACTIVITY, USER, OPEN, TODAY));
    }

    static Stream<AccountCommand<?>> spending() {
        return Stream.of(PARTAKE, DRAW);
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
    void noChance(AccountCommand<?> command, Refusal why, List<ChanceSpent> before) {
        account.given(RECHARGED)
                .andGiven(before)
                .when(command)
                .expectNoEvents()
                .expectResultMessagePayload(refused(why));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("spending")
    @DisplayName("No chance is spent when all participations of the activity are taken.")
    void activityFull(AccountCommand<?> command) {
        for (int i = 0; i < PARTICIPATIONS; i++) {
            raffle.stock.take(StockId.ofActivity(ACTIVITY), PARTICIPATIONS, "somebody else");
        }
        account.given(RECHARGED)
                .when(command)
                .expectNoEvents()
                .expectResultMessagePayload(refused(Refusal.ACTIVITY_FULL, ACTIVITY.text()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("spending")
    @DisplayName("No chance is spent when the activity is closed.")
    void closed(AccountCommand<?> command) {
        RaffleInMemory closed = new RaffleInMemory();
        closed.close();
        fixture(closed)
                .given(RECHARGED)
                .when(command)
                .expectNoEvents()
                .expectResultMessagePayload(refused(Refusal.ACTIVITY_NOT_OPEN, ACTIVITY.text()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("spending")
    @DisplayName("No chance is spent after the last day of the activity.")
    void over(AccountCommand<?> command) {
        RaffleInMemory over = new RaffleInMemory();
        over.end();
        fixture(over)
                .given(RECHARGED)
                .when(command)
                .expectNoEvents()
                .expectResultMessagePayload(refused(Refusal.ACTIVITY_DATES, ACTIVITY.text()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("spending")
    @DisplayName("A user without chances gets no account by trying to spend one.")
    void nobody(AccountCommand<?> command) {
        account.givenNoPriorActivity()
                .when(command)
                .expectNoEvents()
                .expectException(RefusedException.class)
                .expectExceptionMessage(containsString("QUOTA_TOTAL"));
    }

    @Nested
    @DisplayName("with free chances")
    class Free {

        private static final ChanceBundle TWO_ONE_A_DAY = new ChanceBundle(2, 2, 1);
        private static final AccountOpened FREE = new AccountOpened(ACTIVITY, USER, TWO_ONE_A_DAY);

        private final RaffleInMemory raffle = new RaffleInMemory(TWO_ONE_A_DAY);
        private final FixtureConfiguration<ActivityAccount> account = fixture(raffle);

        private DueDraw first() {
            return new DueDraw(
                    ANN,
                    REQUEST.id(),
                    new PriorDraws(0, 0, Map.of()),
                    raffle.activities.findOpen(ACTIVITY).orRefuse());
        }

        @Test
        @DisplayName("The first draw of a user opens the account with them, in the same commit.")
        void drawn() {
            account.givenNoPriorActivity()
                    .when(DRAW)
                    .expectEvents(
                            FREE,
                            spent(REQUEST.id(), TODAY, false, 1),
                            RaffleInMemory.drawn(first()),
                            RaffleInMemory.won(first()));
        }

        @Test
        @DisplayName("The first order of a user opens the account with them, too.")
        void partaken() {
            account.givenNoPriorActivity()
                    .when(PARTAKE)
                    .expectEvents(
                            FREE,
                            spent(REQUEST.id(), TODAY, true, 1),
                            new RaffleOrderCreated(REQUEST.id(), ACTIVITY, USER, NOW));
        }

        @Test
        @DisplayName("They are given once, and limited by day like all others.")
        void once() {
            account.given(FREE, spentOn(TODAY))
                    .when(DRAW)
                    .expectNoEvents()
                    .expectResultMessagePayload(refused(Refusal.QUOTA_DAY));
            account.given(FREE, spentOn(LAST_MONTH), spentOn(YESTERDAY))
                    .when(DRAW)
                    .expectNoEvents()
                    .expectResultMessagePayload(refused(Refusal.QUOTA_TOTAL));
        }

        @Test
        @DisplayName("They add to the chances of an account that began with a recharge.")
        void addedToRecharge() {
            account.given(RECHARGED, spentOn(TODAY))
                    .when(PARTAKE)
                    .expectEvents(
                            FREE,
                            spent(REQUEST.id(), TODAY, true, 1),
                            new RaffleOrderCreated(REQUEST.id(), ACTIVITY, USER, NOW));
        }

        @Test
        @DisplayName("Several draws at once open the account once.")
        void several() {
            Draw three = new Draw(ANN, REQUEST, 3);
            account.given(RECHARGED)
                    .when(three)
                    .expectEventsMatching(payloadsMatching(predicate(
                            events -> events.stream().filter(FREE::equals).count() == 1
                                    && events.stream()
                                                    .filter(ChanceSpent.class::isInstance)
                                                    .count()
                                            == 2)));
        }

        @Test
        @DisplayName("They are not given when all participations of the activity are taken.")
        void noParticipationLeft() {
            for (int unit = 0; unit < RaffleInMemory.PARTICIPATIONS; unit++) {
                assertThat(raffle.stock.take(
                                StockId.ofActivity(ACTIVITY), RaffleInMemory.PARTICIPATIONS, "other-" + unit))
                        .isPresent();
            }
            account.givenNoPriorActivity().when(DRAW).expectNoEvents().expectException(RefusedException.class);
        }
    }

    @Test
    @DisplayName("The key under which the open order was created cannot be used for a draw.")
    void keyReused() {
        account.given(RECHARGED, OPENED)
                .when(new Draw(ANN, TAKEN, 1))
                .expectNoEvents()
                .expectResultMessagePayload(refused(Refusal.KEY_REUSED, OPEN.text()));
    }

    @Test
    @DisplayName("Nothing is stored when another node has ended the order that the account takes for open.")
    void orderEndedElsewhere() {
        raffle.given(OPEN, CREATED, RaffleInMemory.drawn(due(OPEN, 0, 0)));
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
                                        raffle.activities.findOpen(ACTIVITY).orRefuse()))
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
                        ANN.text(), invoked -> invoked.cancelOpenOrder(ANN, OPEN, new ParticipationStock(raffle.stock)))
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
                                raffle.activities.findOpen(ACTIVITY).orRefuse()))
                .expectNoEvents()
                .expectException(ConcurrencyException.class);
        account.given(RECHARGED)
                .whenInvoking(
                        ANN.text(), invoked -> invoked.cancelOpenOrder(ANN, OPEN, new ParticipationStock(raffle.stock)))
                .expectNoEvents()
                .expectException(ConcurrencyException.class);
    }

    private static final RaffleOrderId DRAWN = REQUEST.id();
    private static final AwardRecordId AWARD = AwardRecordId.of(DRAWN);

    private AwardWon rejected() {
        AwardWon won = RaffleInMemory.wonForLater(due(DRAWN, 0, 0));
        raffle.given(AWARD, won, new AwardGrantRejected(AWARD, USER, "receipt", "none left"));
        raffle.given(ANN, RECHARGED, spent(DRAWN, YESTERDAY, false, null));
        return won;
    }

    @Test
    @DisplayName("A rejected award is compensated with the chance that it had cost.")
    void compensated() {
        rejected();
        account.given(RECHARGED, spent(DRAWN, YESTERDAY, false, null))
                .when(new CompensateAward(ANN, AWARD, Remedy.RETURN_CHANCE))
                .expectEvents(new ChanceReturned(ACTIVITY, USER, DRAWN, YESTERDAY))
                .expectResultMessagePayload(Answer.done(AwardState.COMPENSATED));
        assertThat(raffle.stored(AWARD))
                .last()
                .isEqualTo(new AwardCompensated(AWARD, USER, Remedy.RETURN_CHANCE, null));
    }

    @Test
    @DisplayName("A compensated award stays as it is.")
    void compensatedOnce() {
        rejected();
        raffle.given(AWARD, new AwardCompensated(AWARD, USER, Remedy.RETURN_CHANCE, null));
        account.given(RECHARGED)
                .when(new CompensateAward(ANN, AWARD, Remedy.RETURN_CHANCE))
                .expectNoEvents()
                .expectResultMessagePayload(Answer.done(AwardState.COMPENSATED));
    }

    @Test
    @DisplayName("An award is not replaced if its strategy has no fallback.")
    void noSubstitute() {
        rejected();
        raffle.given(DRAWN, RaffleInMemory.drawn(due(DRAWN, 0, 0)));
        account.given(RECHARGED)
                .when(new CompensateAward(ANN, AWARD, Remedy.SUBSTITUTE))
                .expectNoEvents()
                .expectResultMessagePayload(refused(Refusal.AWARD_STATE, AWARD.text()));
    }

    @Test
    @DisplayName("An award is not compensated before fulfilment has rejected it.")
    void notYetCompensated() {
        raffle.given(AWARD, RaffleInMemory.wonForLater(due(DRAWN, 0, 0)));
        account.given(RECHARGED)
                .when(new CompensateAward(ANN, AWARD, Remedy.RETURN_CHANCE))
                .expectNoEvents()
                .expectResultMessagePayload(refused(Refusal.AWARD_STATE, AWARD + " (WON)"));
    }

    @Nested
    @DisplayName("In an activity that draws at once")
    class WithoutPool {

        @Test
        @DisplayName("There are no entries.")
        void noEntries() {
            account.given(RECHARGED)
                    .when(new Enter(ANN, REQUEST))
                    .expectNoEvents()
                    .expectResultMessagePayload(Answer.no(new Refused(Refusal.DRAW_MODE, ACTIVITY.text())));
        }
    }
}
