package lottery.bench;

import static lottery.bench.invariant.CheckMoment.IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Homes: what happens to a user is in a stream of that user")
class UserShardInvariantTest extends CheckedHistory {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            account:00:100:ann | account.recharged | "activityId":100,"userId":"ann","rechargeId":"recharge:33-8","bundle":{"total":1,"month":1,"day":1}
            account:33:200:ann | account.recharged | "activityId":100,"userId":"ann","rechargeId":"recharge:33-8","bundle":{"total":1,"month":1,"day":1}
            credit:00:ann | credit.booked | "userId":"ann","entry":1,"amount":"1","balance":"1","businessNo":"b","bookedAt":"2026-11-30T04:00:00Z"
            order:00-8 | raffle.order-cancelled | "orderId":"order:00-8","userId":"ann","cancelledAt":"2026-11-30T04:00:00Z"
            recharge:00-8 | recharge.closed | "rechargeId":"recharge:00-8","userId":"ann"
            award:00-8 | award.released | "awardRecordId":"award:00-8","userId":"ann"
            award:33-1 | award.released | "awardRecordId":"award:33-2","userId":"ann"
            """)
    @DisplayName("An event of a user in another stream is a violation")
    void elsewhere(String stream, String name, String payload) throws SQLException {
        history.event(stream, 70, name, "{" + payload + "}");
        assertThat(violated(IN_FLIGHT))
                .containsEntry(
                        "homes",
                        "event 93, %s, is about ann of shard 33, and in the stream %s".formatted(name, stream));
    }
}
