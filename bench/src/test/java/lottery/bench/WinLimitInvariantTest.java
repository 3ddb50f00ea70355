package lottery.bench;

import static lottery.bench.invariant.CheckMoment.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Limits: no user wins an award more often than one user can")
class WinLimitInvariantTest extends CheckedHistory {

    private static final String ONE_BICYCLE = """
            {"strategyId":7,"version":2,"definition":{"mode":"SINGLE","awards":[\
            {"awardId":101,"title":"Coffee","type":"TEXT","rate":"0.5","sort":1,"lockedUntilDraws":0},\
            {"awardId":103,"title":"Bicycle","type":"PHYSICAL","rate":"0.01","sort":3,"lockedUntilDraws":0,"maxPerUser":1}],\
            "fallback":101}}""";

    /** Bob draws twice by a version that lets one user win one bicycle. */
    private Map<String, String> violations(String first, String second, boolean isCounted) throws SQLException {
        history.event("strategy:7", 1, "strategy.revised", ONE_BICYCLE);
        accounts.recharge(AccountEvents.BOB, 3, "bob", 9, 9, 9);
        accounts.spend(AccountEvents.BOB, 4, "bob", "00-3", "2027-01-01");
        if (isCounted) {
            count(5, "00-3");
        }
        drawByNewVersion("00-3", first);
        accounts.spend(AccountEvents.BOB, isCounted ? 6 : 5, "bob", "00-4", "2027-01-01");
        drawByNewVersion("00-4", second);
        return violated(IN_FLIGHT).entrySet().stream()
                .filter(verdict -> verdict.getKey().equals("limits"))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private void count(long sequence, String key) throws SQLException {
        history.event(AccountEvents.BOB, sequence, "account.limited-award-won", """
                {"activityId":100,"userId":"bob","orderId":"order:%s","awardId":103}""".formatted(key));
    }

    private void drawByNewVersion(String key, String rest) throws SQLException {
        history.event("order:" + key, 0, "raffle.drawn", """
                {"orderId":"order:%s","activityId":100,"userId":"bob","strategyId":7,"strategyVersion":2,"round":1,\
                "drawsBefore":2,"drawsBeforeToday":0,"soldOut":[],"ticket":"00","drawnAt":"2026-11-30T04:00:00.1234567Z",%s}""".formatted(key, rest));
    }

    private static final String BICYCLE =
            "\"outcome\":\"WON\",\"award\":{\"awardId\":103,\"title\":\"Bicycle\",\"type\":\"PHYSICAL\"}";
    private static final String NOTHING = "\"outcome\":\"NOTHING\"";
    private static final String REACHED = ",\"reached\":[103]";

    @Test
    @DisplayName("One win, and a draw that says so, keep the limit")
    void kept() throws SQLException {
        assertThat(violations(BICYCLE, NOTHING + REACHED, true)).isEmpty();
    }

    @Test
    @DisplayName("A second win violates the limit")
    void wonTwice() throws SQLException {
        assertThat(violations(BICYCLE, BICYCLE + REACHED, true))
                .hasEntrySatisfying(
                        "limits",
                        said -> assertThat(said)
                                .isEqualTo(
                                        "order:00-4 wins award 103 at event 100, and its user has won it 1 times before"));
    }

    @Test
    @DisplayName("A draw that does not name what its user has reached violates the limit")
    void notNamed() throws SQLException {
        assertThat(violations(BICYCLE, NOTHING, true))
                .containsValue("order:00-4 says at event 100 that its user has reached [],"
                        + " and the earlier draws say [103]");
    }

    @Test
    @DisplayName("A win that the account has not counted violates the limit")
    void notCounted() throws SQLException {
        assertThat(violations(BICYCLE, NOTHING + REACHED, false))
                .containsValue("order:00-3 wins award 103 at event 97, and 100/bob has not counted it");
    }

    @Test
    @DisplayName("A count without a win violates the limit")
    void countedForNothing() throws SQLException {
        assertThat(violations(NOTHING, NOTHING, true))
                .containsValue("order:00-3 is counted at event 97 and wins nothing that is limited");
    }
}
