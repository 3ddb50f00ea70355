package lottery.bench.store.variant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A unit of work of the comparison")
class BenchmarkDrawTest {

    @Test
    @DisplayName("Units have nothing in common but their account")
    void units() {
        assertThat(LongStream.range(0, 100_000).mapToObj(BenchmarkDraw::number).map(BenchmarkDraw::order))
                .doesNotHaveDuplicates();
        assertThat(BenchmarkDraw.number(BenchmarkDraw.ACCOUNTS).account())
                .isEqualTo(BenchmarkDraw.number(0).account());
        assertThat(BenchmarkDraw.before(BenchmarkDraw.ACCOUNTS)).isOne();
    }
}
