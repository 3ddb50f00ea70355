package lottery.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that bugs can be planted in today's sources. */
@DisplayName("A bug that is planted for a trial")
class PlantedBugTest {

    @ParameterizedTest(name = "{0} has one place in its source")
    @EnumSource
    void hasOnePlace(PlantedBug bug) throws IOException {
        assertThat(bug.patch().occurrences()).isOne();
    }
}
