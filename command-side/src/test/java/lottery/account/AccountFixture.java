package lottery.account;

import static lottery.raffle.RaffleInMemory.ACTIVITY;
import static lottery.raffle.RaffleInMemory.BUNDLE;
import static lottery.raffle.RaffleInMemory.NOW;

import java.time.InstantSource;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import lottery.CommandTargets;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.account.AccountCommand.Draw;
import lottery.api.account.AccountCommand.DrawChosen;
import lottery.api.account.AccountCommand.Enter;
import lottery.api.account.AccountCommand.Partake;
import lottery.api.account.AccountEvent.AccountRecharged;
import lottery.api.account.AccountEvent.ChanceSpent;
import lottery.api.account.AccountId;
import lottery.api.account.RechargeId;
import lottery.api.activity.ChanceBundle;
import lottery.api.raffle.FewerDrawsReason;
import lottery.api.raffle.RaffleEvent.RaffleOrderCreated;
import lottery.api.raffle.RaffleEvent.RequestAnswered;
import lottery.api.raffle.RaffleEvent.Wish;
import lottery.api.raffle.RaffleOrderId;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.award.AwardRecord;
import lottery.raffle.DrawDecisionInput;
import lottery.raffle.PriorDraws;
import lottery.raffle.RaffleInMemory;
import lottery.recharge.SkusInLog;
import org.axonframework.test.aggregate.AggregateTestFixture;
import org.axonframework.test.aggregate.FixtureConfiguration;
import org.axonframework.test.aggregate.ResultValidator;
import org.jspecify.annotations.Nullable;

/**
 * The aggregate of an account alone. The fixture shows among its events those of aggregates that it creates. Aggregates
 * that it loads are in the log of {@link RaffleInMemory}, because a fixture's own store holds one aggregate.
 * {@code OrdersTest} shows that all of it is one commit.
 */
final class AccountFixture {

    static final UserId USER = new UserId("ann");
    static final AccountId ANN = new AccountId(ACTIVITY, USER);
    static final LocalDate TODAY = LocalDate.of(2026, 11, 21);
    static final LocalDate YESTERDAY = TODAY.minusDays(1);
    static final LocalDate LAST_MONTH = TODAY.minusMonths(1);

    static final RaffleRequestIdentity REQUEST = RaffleRequestIdentity.of(ANN, "request");
    static final RaffleRequestIdentity TAKEN = RaffleRequestIdentity.of(ANN, "take");
    static final RaffleOrderId OPEN = TAKEN.id();
    static final Partake PARTAKE = new Partake(ANN, REQUEST);
    static final Draw DRAW = new Draw(ANN, REQUEST, 1);
    static final DrawChosen DRAW_CHOSEN = new DrawChosen(DRAW, "request");
    static final Enter ENTER = new Enter(ANN, REQUEST);

    static final AccountRecharged RECHARGED = recharged(BUNDLE);
    static final AccountRecharged RECHARGED_OFTEN = recharged(new ChanceBundle(10, 10, 10));
    static final ChanceSpent OPENED = spent(OPEN, TODAY, true, true);
    static final RaffleOrderCreated CREATED = new RaffleOrderCreated(OPEN, ACTIVITY, USER, NOW);

    private AccountFixture() {}

    static FixtureConfiguration<ActivityAccount> fixture(RaffleInMemory raffle) {
        InstantSource clock = raffle.clock;
        return new AggregateTestFixture<>(ActivityAccount.class)
                .registerCommandTargetResolver(new CommandTargets())
                .registerInjectableResource(raffle.activities)
                .registerInjectableResource(raffle.orders)
                .registerInjectableResource(raffle.entries)
                .registerInjectableResource(clock)
                .registerInjectableResource(new ActivityParticipationStock(raffle.stock))
                .registerInjectableResource(new ChosenActivityClaims(raffle.claims))
                .registerInjectableResource(SkusInLog.of(raffle))
                .registerInjectableResource(new UndeliverableAwardCompensator(
                        raffle.repository(AwardRecord.class),
                        raffle.orders,
                        raffle.strategies,
                        raffle.activities,
                        raffle.stock,
                        new ActivityParticipationStock(raffle.stock),
                        raffle.log,
                        raffle.directGrants,
                        clock));
    }

    static AccountRecharged recharged(ChanceBundle bundle) {
        return new AccountRecharged(ACTIVITY, USER, RechargeId.of(USER, "before"), bundle);
    }

    static ChanceSpent spent(RaffleOrderId order, LocalDate day, boolean open, boolean participationTaken) {
        return new ChanceSpent(ACTIVITY, USER, order, day, open, participationTaken);
    }

    /** A chance that was spent on this day, and drawn at once. */
    static ChanceSpent spentOn(LocalDate day) {
        return spent(RaffleRequestIdentity.of(ANN, "on " + day).id(), day, false, false);
    }

    static DrawDecisionInput due(RaffleInMemory raffle, RaffleOrderId order, int before, int today) {
        return new DrawDecisionInput(
                ANN,
                order,
                new PriorDraws(before, today, Map.of()),
                raffle.activities.findOpen(ACTIVITY).orThrow());
    }

    static Answer<?> refused(Refusal why) {
        return refused(why, ANN.text());
    }

    static Answer<?> refused(Refusal why, String subject) {
        return Answer.no(new Refused(why, subject));
    }

    /** Checks that a command has thrown its refusal, and has stored nothing. */
    static void assertThrown(ResultValidator<?> result, Refusal why, String subject) {
        result.expectNoEvents().expectException(RefusedException.class).expectExceptionMessage(why + " " + subject);
    }

    static RequestAnswered answered(
            Wish wish, int count, @Nullable FewerDrawsReason shortage, List<RaffleOrderId> orders) {
        return new RequestAnswered(REQUEST.id(), ACTIVITY, USER, wish, count, orders, shortage);
    }
}
