package lottery.bench;

import static lottery.bench.invariant.CheckMoment.AT_REST;
import static lottery.bench.invariant.CheckMoment.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Order: streams have no gaps")
class StreamSequenceInvariantTest extends CheckedHistory {

    @Test
    @DisplayName("A hole in a stream is a violation")
    void violatedByAHole() throws SQLException {
        accounts.recharge(AccountEvents.ANN, 4, "ann", 1, 1, 1);
        assertThat(violated(IN_FLIGHT))
                .containsOnly(Map.entry("order", "account:33:100:ann goes on with 4 at event 93, where 3 was due"));
    }

    @Test
    @DisplayName("A stream without a beginning is a violation")
    void violatedByAStreamWithoutABeginning() throws SQLException {
        history.event("tree:1", 1, "tree.defined", "{}");
        assertThat(violated(AT_REST))
                .containsOnly(Map.entry("order", "tree:1 goes on with 1 at event 93, where 0 was due"));
    }
}
