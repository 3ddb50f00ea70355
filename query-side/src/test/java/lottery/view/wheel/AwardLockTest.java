package lottery.view.wheel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The lock of an award")
class AwardLockTest {

    @ParameterizedTest(name = "after {1} draws, locked until {0}: {2} to go")
    @CsvSource({"0, 0, 0", "3, 0, 3", "3, 2, 1", "3, 3, 0", "3, 9, 0"})
    @DisplayName("A lock opens with the draws of the day, and stays open.")
    void opens(int lockedUntilDraws, int drawsToday, int drawsToUnlock) {
        assertThat(new AwardLock(lockedUntilDraws).drawsToUnlock(drawsToday)).isEqualTo(drawsToUnlock);
    }
}
