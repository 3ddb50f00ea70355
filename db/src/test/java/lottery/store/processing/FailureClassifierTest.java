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

    @ParameterizedTest(name = "with the state {0} and the message {1} is an outage: {2}")
    @CsvSource(
            nullValues = "none",
            value = {
                "57P01, terminating connection, true",
                "08006, An I/O error, true",
                "none, Connection is closed, true",
                "none, a bug of a driver, false",
                "23505, duplicate key, false"
            })
    void state(@Nullable String state, String message, boolean isOutage) {
        IllegalStateException failure =
                new IllegalStateException("Unable to rollback", new SQLException(message, state));
        assertThat(classifier.isOutage(failure)).isEqualTo(isOutage);
    }
}
