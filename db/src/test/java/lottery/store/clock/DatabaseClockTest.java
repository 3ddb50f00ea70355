package lottery.store.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import lottery.store.clock.ClockAgreement.ClocksDisagreeException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The clock of the database")
class DatabaseClockTest {

    private static final Instant NOON = Instant.parse("2026-11-26T04:00:00Z");

    private Instant there = NOON;
    private Instant here = NOON;
    private long passed;
    private Duration roundTrip = Duration.ZERO;
    private boolean isAway;
    private int asked;

    private Instant ask() {
        asked++;
        if (isAway) {
            throw new IllegalStateException("away");
        }
        pass(roundTrip.dividedBy(2));
        Instant answer = there;
        pass(roundTrip.dividedBy(2));
        return answer;
    }

    private void pass(Duration time) {
        there = there.plus(time);
        here = here.plus(time);
        passed += time.toNanos();
    }

    private DatabaseClock clock() {
        return DatabaseClock.of(this::ask, () -> here, () -> passed);
    }

    @Test
    @DisplayName("It tells the time of PostgreSQL, whatever the clock of the machine says.")
    void tellsTheOther() {
        here = NOON.plus(Duration.ofDays(31));
        DatabaseClock clock = clock();
        assertThat(clock.instant()).isEqualTo(NOON);
        assertThat(clock.offset()).isEqualTo(Duration.ofDays(31));
        assertThat(clock.isMachineRight()).isFalse();
        pass(Duration.ofSeconds(4));
        assertThat(clock.instant()).isEqualTo(NOON.plusSeconds(4));
    }

    @Test
    @DisplayName("A step of the machine's clock changes nothing, and is known with the next measurement.")
    void step() {
        DatabaseClock clock = clock();
        here = here.minus(Duration.ofHours(1));
        assertThat(clock.instant()).isEqualTo(NOON);
        assertThat(clock.isMachineRight()).isTrue();
        clock.measure();
        assertThat(clock.instant()).isEqualTo(NOON);
        assertThat(clock.offset()).isEqualTo(Duration.ofHours(-1));
        assertThat(clock.isMachineRight()).isFalse();
        here = there;
        clock.measure();
        assertThat(clock.isMachineRight()).isTrue();
    }

    @Test
    @DisplayName("After a sleep of the machine, the first caller is told the right time.")
    void sleep() {
        DatabaseClock clock = clock();
        there = there.plusSeconds(60);
        here = here.plusSeconds(60);
        assertThat(clock.instant()).isEqualTo(NOON.plusSeconds(60));
        assertThat(clock.isMachineRight()).isTrue();
    }

    @Test
    @DisplayName("A step of the machine's clock to a later time changes nothing, and is known at once.")
    void stepAhead() {
        DatabaseClock clock = clock();
        here = here.plus(Duration.ofDays(31));
        assertThat(clock.instant()).isEqualTo(NOON);
        assertThat(clock.offset()).isEqualTo(Duration.ofDays(31));
    }

    @Test
    @DisplayName(
            "After a sleep without PostgreSQL, it asks once, counts on, and takes the machine's clock to be wrong.")
    void sleepWithoutDatabase() {
        DatabaseClock clock = clock();
        isAway = true;
        here = here.plusSeconds(60);
        int before = asked;
        assertThat(clock.instant()).isEqualTo(NOON);
        assertThat(clock.instant()).isEqualTo(NOON);
        assertThat(asked).isEqualTo(before + 1);
        assertThat(clock.isMachineRight()).isFalse();
        isAway = false;
        there = there.plusSeconds(60);
        clock.measure();
        assertThat(clock.instant()).isEqualTo(NOON.plusSeconds(60));
        assertThat(clock.isMachineRight()).isTrue();
    }

    @Test
    @DisplayName("It follows a step of PostgreSQL's clock, such as after a failover.")
    void failover() {
        DatabaseClock clock = clock();
        there = there.minusSeconds(1);
        clock.measure();
        assertThat(clock.instant()).isEqualTo(NOON.minusSeconds(1));
        assertThat(clock.offset()).isEqualTo(Duration.ofSeconds(1));
        assertThat(clock.isMachineRight()).isTrue();
    }

    @Test
    @DisplayName("Half of the round trip has passed when the answer arrives.")
    void roundTrip() {
        roundTrip = Duration.ofMillis(800);
        DatabaseClock clock = clock();
        assertThat(clock.instant()).isEqualTo(there);
        assertThat(clock.offset()).isZero();
    }

    @Test
    @DisplayName("A slow answer does not replace a better one, and time is counted on.")
    void slow() {
        DatabaseClock clock = clock();
        roundTrip = Duration.ofSeconds(3);
        there = there.plusSeconds(9);
        clock.measure();
        assertThat(clock.offset()).isZero();
        assertThat(clock.instant()).isEqualTo(NOON.plusSeconds(3));
    }

    @Test
    @DisplayName("While PostgreSQL is away, time is counted on, and nothing is wrong.")
    void away() {
        DatabaseClock clock = clock();
        isAway = true;
        assertThatThrownBy(clock::measure).hasMessage("away");
        pass(Duration.ofMinutes(10));
        assertThat(clock.instant()).isEqualTo(NOON.plus(Duration.ofMinutes(10)));
        assertThat(clock.isMachineRight()).isTrue();
    }

    @Test
    @DisplayName("Two seconds are right, and more is wrong, ahead and behind.")
    void limit() {
        for (int sign : new int[] {1, -1}) {
            here = there.plus(DatabaseClock.OFFSET_MAX.multipliedBy(sign));
            assertThat(clock().isMachineRight()).isTrue();
            here = here.plusNanos(sign);
            assertThat(clock().isMachineRight()).isFalse();
        }
    }

    @Test
    @DisplayName("While PostgreSQL contradicts the machine by more than a minute, the clocks do not agree.")
    void contradiction() {
        DatabaseClock clock = clock();
        assertThat(clock.isAgreed()).isTrue();
        there = there.plus(Duration.ofDays(31));
        assertThat(clock.isAgreed()).as("nothing is known of it yet").isTrue();
        assertThat(clock.instant()).isEqualTo(NOON);
        clock.measure();
        assertThat(clock.isAgreed()).isFalse();
        assertThatThrownBy(clock::require).isInstanceOf(ClocksDisagreeException.class);
        there = here.plusSeconds(60);
        clock.measure();
        assertThat(clock.isAgreed()).isTrue();
        clock.require();
    }

    @Test
    @DisplayName("After both have leapt together, or the machine was suspended, the clocks do not agree for minutes.")
    void leapTogether() {
        for (int sign : new int[] {1, -1}) {
            DatabaseClock clock = clock();
            Duration leap = Duration.ofDays(31).multipliedBy(sign);
            there = there.plus(leap);
            here = here.plus(leap);
            clock.measure();
            assertThat(clock.isMachineRight()).isTrue();
            assertThat(clock.isAgreed()).isFalse();
            pass(Duration.ofSeconds(299));
            clock.measure();
            assertThat(clock.isAgreed()).isFalse();
            pass(Duration.ofSeconds(2));
            assertThat(clock.isAgreed()).isTrue();
        }
    }

    @Test
    @DisplayName("The first caller after a long sleep knows that the clocks do not agree yet.")
    void afterSleep() {
        DatabaseClock clock = clock();
        there = there.plus(Duration.ofHours(8));
        here = here.plus(Duration.ofHours(8));
        assertThat(clock.instant()).isEqualTo(there);
        assertThat(clock.isAgreed()).isFalse();
    }
}
