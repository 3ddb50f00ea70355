package lottery.rebate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import lottery.api.rebate.RebateLimit.RebatePeriod;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The count of a rule's payments")
class RebateRuleUseTallyTest {

    private static final LocalDate DAY = LocalDate.parse("2028-02-28");

    private final RebateRuleUseTally two = RebateRuleUseTally.first(DAY).plus(DAY);

    private static int[] in(RebateRuleUseTally count, LocalDate day) {
        return new int[] {
            count.in(RebatePeriod.DAY, day), count.in(RebatePeriod.MONTH, day), count.in(RebatePeriod.EVER, day)
        };
    }

    @Test
    @DisplayName("The count is none before the first payment.")
    void none() {
        assertThat(in(RebateRuleUseTally.NONE, DAY)).containsExactly(0, 0, 0);
    }

    @Test
    @DisplayName("A new day begins at 0, and the month goes on, also over a leap day.")
    void days() {
        assertThat(in(two, DAY)).containsExactly(2, 2, 2);
        assertThat(in(two, DAY.plusDays(1))).containsExactly(0, 2, 2);
        assertThat(in(two.plus(DAY.plusDays(1)), DAY.plusDays(1))).containsExactly(1, 3, 3);
    }

    @Test
    @DisplayName("A new month begins at 0, and so does the same month of another year.")
    void months() {
        assertThat(in(two, DAY.plusDays(2))).containsExactly(0, 0, 2);
        assertThat(in(two, DAY.plusYears(1))).containsExactly(0, 0, 2);
    }

    @Test
    @DisplayName("A clock that goes back does not begin an earlier day again.")
    void clockGoesBack() {
        assertThat(two.today(DAY.minusDays(1))).isEqualTo(DAY);
        assertThat(two.today(DAY.plusDays(1))).isEqualTo(DAY.plusDays(1));
    }
}
