package lottery.bench;

import static lottery.bench.invariant.CheckMoment.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The draws before a draw")
class PriorDrawsInvariantTest extends CheckedHistory {

    private String flaw(boolean isBookedFirst, int total, int today) throws SQLException {
        accounts.recharge(AccountEvents.BOB, 3, "bob", 9, 9, 9);
        accounts.spend(AccountEvents.BOB, 4, "bob", "00-3", "2027-01-01");
        if (isBookedFirst) {
            accounts.spend(AccountEvents.BOB, 5, "bob", "00-4", "2027-01-01");
        }
        history.event("order:00-4", 0, "raffle.drawn", """
                {"orderId":"order:00-4","activityId":100,"userId":"bob","strategyId":7,"strategyVersion":1,"round":1,\
                "drawsBefore":%d,"drawsBeforeToday":%d,"soldOut":[],"ticket":"00","outcome":"NOTHING",\
                "drawnAt":"2026-11-30T04:00:00.1234567Z"}""".formatted(total, today));
        if (!isBookedFirst) {
            accounts.spend(AccountEvents.BOB, 5, "bob", "00-4", "2027-01-01");
        }
        return verdict("counts", IN_FLIGHT).first();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("A draw that knows the draws before it is sound, booked before its event or behind it")
    void sound(boolean isBookedFirst) throws SQLException {
        assertThat(flaw(isBookedFirst, 3, 1)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"true,2,1", "true,3,0", "false,2,1", "false,3,2"})
    @DisplayName("A draw that says a wrong number is found")
    void wrong(boolean isBookedFirst, int total, int today) throws SQLException {
        assertThat(flaw(isBookedFirst, total, today))
                .startsWith("order:00-4 says that draws before it are %d, %d of them on the same day, and at event "
                        .formatted(total, today))
                .endsWith(" they were 3, 1 of them on the same day");
    }

    private String entered(String fields) throws SQLException {
        accounts.recharge(AccountEvents.BOB, 3, "bob", 9, 9, 9);
        accounts.spend(AccountEvents.BOB, 4, "bob", "00-3", "2027-01-01");
        history.event("order:00-3", 0, "raffle.entered", """
                {"orderId":"order:00-3","activityId":100,"userId":"bob","day":"2027-01-01","participationTaken":false,%s"enteredAt":"2027-01-01T04:00:00Z"}""".formatted(fields));
        return verdict("counts", IN_FLIGHT).first();
    }

    @Test
    @DisplayName("An entry counts as a draw")
    void entries() throws SQLException {
        assertThat(entered("\"entriesBefore\":1,\"entriesBeforeToday\":0,"))
                .startsWith("order:00-3 says that draws before it are 1, 0 of them on the same day");
        history.restore();
        assertThat(entered("\"entriesBefore\":2,\"entriesBeforeToday\":0,")).isEmpty();
    }
}
