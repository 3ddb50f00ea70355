package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import lottery.app.StormSchedule.FaultKind;
import lottery.app.StormSchedule.ScheduledFault;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The faults of one round of a storm")
class StormScheduleTest {

    @Test
    @DisplayName("The same seed gives the same faults, and others give other ones")
    void sameSeed() {
        assertThat(StormSchedule.of(7)).isEqualTo(StormSchedule.of(7));
        assertThat(StormSchedule.of(7).faults())
                .isNotEqualTo(StormSchedule.of(8).faults());
    }

    @Test
    @DisplayName("Each kind comes in a hundred rounds, and often two faults overlap")
    void allKinds() {
        List<StormSchedule> all =
                LongStream.range(0, 100).mapToObj(StormSchedule::of).toList();
        Set<FaultKind> kinds = EnumSet.noneOf(FaultKind.class);
        all.forEach(schedule -> schedule.faults().forEach(fault -> kinds.add(fault.kind())));
        assertThat(kinds).containsExactlyInAnyOrder(FaultKind.values());
        assertThat(all).allSatisfy(schedule -> assertThat(schedule.faults()).hasSizeGreaterThanOrEqualTo(3));
        assertThat(all).filteredOn(StormScheduleTest::overlaps).hasSizeGreaterThan(50);
    }

    private static boolean overlaps(StormSchedule schedule) {
        ScheduledFault first = schedule.faults().getFirst();
        return first.begins()
                        .plus(first.lasts())
                        .compareTo(schedule.faults().get(1).begins())
                > 0;
    }

    @Test
    @DisplayName("Some of its faults can be left out")
    void only() {
        StormSchedule all = StormSchedule.of(7);
        assertThat(all.only(Set.of(0, 2)).faults())
                .containsExactly(all.faults().get(0), all.faults().get(2));
    }
}
