package lottery.messaging.draw;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import lottery.api.UserId;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.raffle.RaffleRequestIdentity;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The requests that wait")
class WaitingDrawsTest {

    private static final Instant NOON = Instant.parse("2026-11-21T04:00:00Z");
    private static final ActivityId SPRING = new ActivityId(100);
    private static final ActivityId AUTUMN = new ActivityId(200);
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final WaitingDraws waiting = new WaitingDraws();

    @BeforeEach
    void begin() {
        waiting.begin(0, 10, 0);
        waiting.begin(1, 0, 0);
    }

    private static QueuedDrawRequest request(ActivityId activity, String key) {
        AccountId account = new AccountId(activity, new UserId("ann"));
        return new QueuedDrawRequest(RaffleRequestIdentity.of(account, key).id(), activity, account.userId(), 1, NOON);
    }

    private static QueuedDrawRequest spring(int number) {
        return request(SPRING, "key-" + number);
    }

    private void add(int from, int to) {
        for (int offset = from; offset < to; offset++) {
            waiting.add(0, offset, spring(offset), 0);
        }
    }

    private long position(QueuedDrawRequest request) {
        return waiting.find(request.orderId()).orElseThrow().position();
    }

    @Test
    @DisplayName("The position counts all requests of the line that come first, and falls as they are ended.")
    void position() {
        add(10, 20);
        waiting.add(0, 20, request(AUTUMN, "key"), 0);
        assertThat(position(spring(10))).isEqualTo(1);
        assertThat(position(request(AUTUMN, "key"))).isEqualTo(11);
        waiting.ended(0, 15, SECOND);
        assertThat(waiting.find(spring(14).orderId())).isEmpty();
        assertThat(position(spring(15))).isEqualTo(1);
        assertThat(waiting.count(SPRING)).isEqualTo(5);
        assertThat(waiting.count(AUTUMN)).isEqualTo(1);
        waiting.ended(0, 21, SECOND);
        assertThat(waiting.count()).isZero();
        assertThat(waiting.count(SPRING)).isZero();
    }

    @Test
    @DisplayName("What was ended before it was read never waits.")
    void endedBefore() {
        waiting.ended(0, 12, SECOND);
        add(10, 13);
        assertThat(waiting.count()).isEqualTo(1);
        assertThat(waiting.find(spring(11).orderId())).isEmpty();
    }

    @Test
    @DisplayName("A request that was sent twice waits for the first of both, and no longer.")
    void sentTwice() {
        waiting.add(0, 10, spring(1), 0);
        waiting.add(0, 11, spring(1), 0);
        assertThat(position(spring(1))).isEqualTo(1);
        waiting.ended(0, 11, SECOND);
        assertThat(waiting.find(spring(1).orderId())).isEmpty();
        assertThat(waiting.count(SPRING))
                .as("the second one still takes up room")
                .isEqualTo(1);
    }

    @Test
    @DisplayName("The expected wait follows from the pace of the last ten seconds; without a draw nobody knows it.")
    void expectedWait() {
        add(10, 110);
        waiting.ended(0, 10, 0);
        assertThat(waiting.placed(spring(500), 0, 500, true).expectedWaitSeconds())
                .isNull();
        waiting.ended(0, 30, 2 * SECOND);
        assertThat(waiting.placed(spring(59), 0, 59, true)).satisfies(placed -> {
            assertThat(placed.position()).isEqualTo(30);
            assertThat(placed.expectedWaitSeconds()).isEqualTo(3);
        });
        for (int second = 3; second <= 20; second++) {
            waiting.ended(0, 30, second * SECOND);
        }
        assertThat(waiting.placed(spring(59), 0, 59, true).expectedWaitSeconds())
                .isNull();
    }

    @Test
    @DisplayName("The pace does not count the time in which no request waited.")
    void paceAfterIdleTime() {
        add(10, 30);
        waiting.ended(0, 10, 0);
        waiting.ended(0, 30, 2 * SECOND);
        assertThat(waiting.pace()).as("nothing waits").isZero();
        add(30, 130);
        waiting.ended(0, 40, 3_600 * SECOND);
        assertThat(waiting.placed(spring(129), 0, 129, true).expectedWaitSeconds())
                .isNull();
        waiting.ended(0, 50, 3_601 * SECOND);
        assertThat(waiting.placed(spring(129), 0, 129, true).expectedWaitSeconds())
                .isEqualTo(8);
        assertThat(waiting.pace()).isEqualTo(10);
    }

    @Test
    @DisplayName("The age is that of the oldest request of any line.")
    void oldest() {
        assertThat(waiting.oldest(NOON.plusSeconds(60))).isEqualTo(Duration.ZERO);
        waiting.add(1, 0, spring(1), 0);
        assertThat(waiting.oldest(NOON.plusSeconds(60))).isEqualTo(Duration.ofSeconds(60));
        assertThat(waiting.oldest(NOON.minusSeconds(60)))
                .as("a clock that is late")
                .isEqualTo(Duration.ZERO);
    }

    @Test
    @DisplayName("A topic that is read anew begins with what waits then, without partitions that are gone.")
    void restart() {
        add(10, 20);
        waiting.add(1, 0, request(AUTUMN, "key"), 0);
        waiting.clear();
        waiting.begin(0, 18, 0);
        assertThat(waiting.count()).isZero();
        assertThat(waiting.count(AUTUMN)).isZero();
        assertThat(waiting.find(spring(19).orderId())).isEmpty();
        assertThat(waiting.stuck(99 * SECOND)).isZero();
        add(18, 20);
        assertThat(waiting.count(SPRING)).isEqualTo(2);
        assertThat(position(spring(19))).isEqualTo(2);
    }

    @Test
    @DisplayName(
            "A line is stuck from its first request on, or from the last one that was ended, and others do not hide it.")
    void stuck() {
        assertThat(waiting.stuck(9 * SECOND)).isZero();
        waiting.add(0, 10, spring(1), 3 * SECOND);
        waiting.add(0, 11, spring(2), 5 * SECOND);
        waiting.add(1, 0, request(AUTUMN, "key"), 5 * SECOND);
        assertThat(waiting.stuck(9 * SECOND)).isEqualTo(Duration.ofSeconds(6));
        waiting.ended(1, 1, 8 * SECOND);
        assertThat(waiting.stuck(9 * SECOND)).isEqualTo(Duration.ofSeconds(6));
        waiting.ended(0, 11, 8 * SECOND);
        assertThat(waiting.stuck(9 * SECOND)).isEqualTo(Duration.ofSeconds(1));
        waiting.ended(0, 11, 9 * SECOND);
        assertThat(waiting.stuck(12 * SECOND)).as("a look is no progress").isEqualTo(Duration.ofSeconds(4));
        waiting.ended(0, 12, 12 * SECOND);
        assertThat(waiting.stuck(90 * SECOND)).isZero();
    }
}
