package lottery.store.processing;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A failure of a statement")
class FailureClassifierTest {

    private final FailureClassifier classifier = new FailureClassifier(List.of());

    @ParameterizedTest(name = "with the state {0} is an outage: {1}")
    @CsvSource(
            nullValues = "none",
            value = {"57P01, true", "08006, true", "none, true", "23505, false", "22P02, false"})
    void state(@Nullable String state, boolean isOutage) {
        IllegalStateException failure =
                new IllegalStateException("Unable to rollback", new SQLException("Connection is closed", state));
        assertThat(classifier.isOutage(failure)).isEqualTo(isOutage);
    }
}
