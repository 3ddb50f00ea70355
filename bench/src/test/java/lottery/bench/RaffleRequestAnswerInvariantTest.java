package lottery.bench;

import static lottery.bench.invariant.CheckMoment.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("I3: the answers to requests")
class RaffleRequestAnswerInvariantTest extends CheckedHistory {

    private void violatedOnly(String words) throws SQLException {
        assertThat(violated(IN_FLIGHT)).containsOnly(Map.entry("I3", words));
    }

    @ParameterizedTest
    @CsvSource({"DRAW,order:28-9", "DRAW,order:28-2", "CANCEL,order:28-1", "PARTAKE,order:28-3", "SLEEP,order:28-1"})
    @DisplayName("An answer with an order to which something else has happened, or nothing, violates I3")
    void namesAnother(String wish, String order) throws SQLException {
        orders.answered("28-e", wish, 1, order);
        violatedOnly("order:28-e is answered at event 93 with %s, to which nothing has happened that fits %s"
                .formatted(order, wish));
    }

    @ParameterizedTest
    @CsvSource({"DRAW,order:28-3", "CANCEL,order:28-2"})
    @DisplayName("An answer with an order that was drawn or cancelled in another commit violates I3")
    void namesAnOldOne(String wish, String order) throws SQLException {
        accounts.recharge(AccountEvents.ANN, 3, "ann", 1, 1, 1);
        orders.answered("28-e", wish, 1, order);
        violatedOnly("order:28-e is answered at event 95 with %s, to which nothing has happened that fits %s"
                .formatted(order, wish));
    }

    @Test
    @DisplayName("An answer with somebody else's order violates I3")
    void namesSomebodyElses() throws SQLException {
        history.event("order:33-e", 0, "raffle.request-answered", """
                {"requestId":"order:33-e","activityId":100,"userId":"ann","wish":"PARTAKE","count":1,"orders":["order:28-1"]}""");
        violatedOnly("order:33-e of 100/ann is answered at event 93 with order:28-1 of 200/cat");
    }

    @ParameterizedTest
    @CsvSource({
        "DRAW,1,false,order:28-3 order:28-4",
        "DRAW,3,false,order:28-3 order:28-4",
        "DRAW,2,true,order:28-3 order:28-4",
        "DRAW,2,false,order:28-3 order:28-3",
        "PARTAKE,1,true,order:28-1",
        "CANCEL,2,false,order:28-2 order:28-2"
    })
    @DisplayName("An answer with more or less than was asked for violates I3")
    void doesNotFit(String wish, int count, boolean refused, String named) throws SQLException {
        String[] each = named.split(" ", -1);
        orders.answered("28-e", wish, count, refused, each);
        violatedOnly("order:28-e is answered at event 93 with %s for %s of %d%s"
                .formatted(List.of(each), wish, count, refused ? " and a shortage" : ""));
    }

    @Test
    @DisplayName("An answer with no order at all violates I3")
    void nothing() throws SQLException {
        orders.answered("28-e", "DRAW", 1, true);
        violatedOnly("order:28-e is answered at event 93 with [] for DRAW of 1 and a shortage");
    }

    @Test
    @DisplayName("An event that follows an answer in its stream violates I3")
    void goesOn() throws SQLException {
        history.event("order:28-a", 1, "tree.defined", "{}");
        violatedOnly("order:28-a is answered at event 79 and goes on with tree.defined at event 93");
    }

    @Test
    @DisplayName("An answer in the stream of an order violates I3")
    void inAnOrder() throws SQLException {
        history.event("order:28-4", 1, "raffle.request-answered", """
                {"requestId":"order:28-4","activityId":200,"userId":"cat","wish":"DRAW","count":1,"orders":["order:28-4"]}""");
        violatedOnly("order:28-4 is answered at event 93 in the stream of an order, order:28-4");
    }

    @Test
    @DisplayName("A chance that is spent for an answered request violates I3")
    void costsAChance() throws SQLException {
        accounts.spendOfCat(8, "28-a", "2026-12-01");
        history.count("participations:200", 4);
        assertThat(violated(IN_FLIGHT)).containsOnlyKeys("I3");
    }
}
