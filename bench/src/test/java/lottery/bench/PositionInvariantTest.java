package lottery.bench;

import static lottery.bench.invariant.CheckMoment.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Log: positions have no gaps")
class PositionInvariantTest extends CheckedHistory {

    @Test
    @DisplayName("A position that was given and not written is a violation")
    void violatedByAHole() throws SQLException {
        history.sql("UPDATE event_head SET position = position + 1");
        accounts.recharge(AccountEvents.ANN, 3, "ann", 1, 1, 1);
        assertThat(violated(IN_FLIGHT)).contains(Map.entry("log", "event 94 follows on event 92"));
    }

    @Test
    @DisplayName("A head that is ahead of the last event is a violation")
    void lostTail() throws SQLException {
        history.sql("UPDATE event_head SET position = position + 1");
        assertThat(violated(IN_FLIGHT)).containsOnly(Map.entry("log", "the head is 93, and the last event 92"));
    }
}
