package lottery.bench;

import static lottery.bench.invariant.CheckMoment.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Claims: what is claimed has one holder")
class ClaimUniquenessInvariantTest extends CheckedHistory {

    @Test
    @DisplayName("Two holders of one claim are a violation")
    void twoHolders() throws SQLException {
        history.claim("code:7", "A", "award:33-1");
        history.sql("ALTER TABLE claim DROP CONSTRAINT claim_name");
        try {
            assertThat(violated(IN_FLIGHT)).isEmpty();
            history.claim("code:7", "A", "award:00-1");
            assertThat(violated(IN_FLIGHT))
                    .containsOnly(Map.entry("claims", "A of code:7 belongs to award:00-1 and to award:33-1"));
        } finally {
            history.clear();
            history.sql("ALTER TABLE claim ADD CONSTRAINT claim_name PRIMARY KEY (scope, key)");
        }
    }
}
