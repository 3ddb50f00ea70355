package lottery.bench;

import static lottery.bench.invariant.CheckMoment.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("I5: used ≤ granted")
class QuotaInvariantTest extends CheckedHistory {

    @Test
    @DisplayName("Chances beyond the total violate I5, even if a recharge follows")
    void violatedInTotalEvenIfARechargeFollows() throws SQLException {
        accounts.spend(AccountEvents.BOB, 3, "bob", "00-3", "2027-01-01");
        orders.draw("bob", "00-3", "NOTHING", 0);
        accounts.recharge(AccountEvents.BOB, 4, "bob", 5, 5, 5);
        assertThat(violated(IN_FLIGHT))
                .containsOnly(Map.entry("I5", "account:00:100:bob has used 3 of 2 chances in total at event 93"));
    }

    @Test
    @DisplayName("Chances beyond those of a month violate I5")
    void violatedInAMonth() throws SQLException {
        accounts.recharge(AccountEvents.BOB, 3, "bob", 1, 0, 0);
        accounts.spend(AccountEvents.BOB, 4, "bob", "00-3", "2026-12-02");
        orders.draw("bob", "00-3", "NOTHING", 0);
        assertThat(violated(IN_FLIGHT))
                .containsOnly(Map.entry(
                        "I5", "account:00:100:bob has used 2 of 1 chances in the month of 2026-12-02 at event 95"));
    }

    @Test
    @DisplayName("Chances beyond those of a day violate I5")
    void violatedOnADay() throws SQLException {
        accounts.recharge(AccountEvents.BOB, 3, "bob", 1, 1, 0);
        accounts.spend(AccountEvents.BOB, 4, "bob", "00-3", "2026-12-01");
        orders.draw("bob", "00-3", "NOTHING", 0);
        assertThat(violated(IN_FLIGHT))
                .containsOnly(Map.entry("I5", "account:00:100:bob has used 2 of 1 chances on 2026-12-01 at event 95"));
    }

    @Test
    @DisplayName("Free chances that a definition of the activity has are chances, and a second time violates I5")
    void freeChancesAreGivenOnce() throws SQLException {
        history.event("activity:100", 4, "activity.edited", """
                {"activityId":100,"definition":{"name":"Spring","beginsAt":"2026-11-21T04:00:00Z",\
                "endsAt":"2027-11-22T04:00:00Z","zone":"Asia/Shanghai","strategyId":7,\
                "free":{"total":3,"month":3,"day":1},"skus":[]}}""");
        accounts.freeChances(AccountEvents.BOB, 3, "bob", 3, 3, 1);
        accounts.spend(AccountEvents.BOB, 4, "bob", "00-3", "2027-01-01");
        orders.draw("bob", "00-3", "NOTHING", 0);
        assertThat(violated(IN_FLIGHT)).isEmpty();
        accounts.freeChances(AccountEvents.BOB, 5, "bob", 3, 3, 1);
        assertThat(violated(IN_FLIGHT))
                .containsOnly(Map.entry("I5", "account:00:100:bob has free chances again at event 97"));
    }

    @Test
    @DisplayName("Free chances that no definition of the activity has violate I5")
    void freeChancesOfNoDefinition() throws SQLException {
        accounts.freeChances(AccountEvents.BOB, 3, "bob", 3, 3, 1);
        assertThat(violated(IN_FLIGHT))
                .containsOnly(Map.entry(
                        "I5",
                        "account:00:100:bob has free chances at event 93 that its activity does not give: 3/3/1"));
    }

    @Test
    @DisplayName("A chance that came back may be spent again, and one more violates I5")
    void keptByAChanceThatCameBackAndIsSpentAgain() throws SQLException {
        accounts.spendOfCat(8, "28-5", "2026-12-01");
        orders.drawOfCat(0, "28-5");
        history.count("participations:200", 4);
        assertThat(violated(IN_FLIGHT)).isEmpty();
        accounts.spendOfCat(9, "28-6", "2027-01-01");
        orders.drawOfCat(0, "28-6");
        history.count("participations:200", 5);
        assertThat(violated(IN_FLIGHT))
                .containsOnly(Map.entry("I5", "account:28:200:cat has used 5 of 4 chances in total at event 95"));
    }

    @Test
    @DisplayName("A chance that is spent on a day before the last one violates I5")
    void violatedByAChanceThatIsSpentOnADayBeforeTheLastOne() throws SQLException {
        accounts.spendOfCat(8, "28-5", "2026-11-30");
        orders.drawOfCat(0, "28-5");
        history.count("participations:200", 4);
        assertThat(violated(IN_FLIGHT))
                .containsOnly(
                        Map.entry("I5", "account:28:200:cat is back on 2026-11-30 at event 93, after 2026-12-01"));
    }

    @Test
    @DisplayName("A draw on a day before its chance was spent violates I5")
    void violatedByADrawOnADayBeforeItsChanceWasSpent() throws SQLException {
        accounts.open(8, "28-5", "2026-12-02");
        orders.create("28-5");
        accounts.use(9, "28-5", "2026-12-01");
        orders.drawOfCat(1, "28-5");
        history.count("participations:200", 4);
        assertThat(violated(IN_FLIGHT))
                .containsOnly(
                        Map.entry("I5", "account:28:200:cat is back on 2026-12-01 at event 95, after 2026-12-02"));
    }

    /** An account that remembers only the last day has forgotten by then what was used before it. */
    @Test
    @DisplayName("Chances beyond those of a day to which the clock has gone back violate I5")
    void violatedOnADayThatAClockHasGoneBackTo() throws SQLException {
        accounts.recharge(AccountEvents.BOB, 3, "bob", 1, 1, 0);
        accounts.spend(AccountEvents.BOB, 4, "bob", "00-3", "2026-11-30");
        orders.draw("bob", "00-3", "NOTHING", 0);
        assertThat(violated(IN_FLIGHT))
                .containsOnly(Map.entry("I5", "account:00:100:bob has used 2 of 1 chances on 2026-11-30 at event 95"));
    }
}
